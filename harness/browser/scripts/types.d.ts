// What the in-page library is: the groups of the object "harness", which Python calls by name (Browser.run("aim.radio", ...)),
// and the records that go to Python. Read by TypeScript alone ("make lint").

/** Names that the loader writes above the scripts. */
declare const CHANNEL: string;
declare const CLOCK: boolean;
/** Of a site: the name by which its pages' scripts of ours tell something, and where its tabs may go. */
declare const BINDING: string;
declare const PATIENCE: number;
declare const ORIGINS: string[];

declare var harness: Harness;

interface Harness {
  state: State;
  own: OwnProperties;
  document: OwnDocument;
  page: PageGroup;
  form: FormGroup;
  fields: FieldsGroup;
  pressables: PressablesGroup;
  aim: AimGroup;
  /** Loaded on websites. */
  elements: ElementsGroup;
  tools: ToolsGroup;
  /** Loaded when a page is first observed. */
  snapshot?: SnapshotGroup;
  /** Loaded when words are marked, or a clip is played, or something is waited for. */
  content?: ContentGroup;
  /** Loaded where a film is made, and in the pages of a site. */
  marks: MarksGroup;
  film?: FilmGroup;
  /** Of a site's pages: tells the harness something, in words that its side knows. */
  tell(words: string): void;
  moments: MomentsGroup;
  /** Of a site's pages. */
  left: LeftGroup;
  /** Loaded where a person is recorded. */
  recorded?: RecordedGroup;
}

// ---- records ----------------------------------------------------------------------------------------------------------

/** As harness.actions.error_code.ErrorCode. */
type ErrorCode =
  "already_submitted" | "no_such_field" | "no_such_option" | "no_such_element" | "no_such_text" | "no_such_clip" | "element_gone" |
  "another_kind" | "hidden_field" | "not_visible" | "covered" | "out_of_view" | "disabled" | "option_disabled" |
  "read_only" | "takes_file" | "not_taken" | "too_long" | "box_not_kept" | "field_removed" | "off_screen" |
  "not_a_number" | "out_of_range" | "off_step" | "one_option_only" | "no_such_key" | "not_allowed" |
  "browser_shortcut" | "wrong_argument" | "no_such_tab" | "no_history" | "not_opened";
/** Why something cannot be done. */
interface Problem {
  code: ErrorCode;
  error: string;
  /** The names of all fields, where there is none of the name that was asked for. */
  names?: string[];
  /** The options, where there is none of the value that was asked for. */
  options?: Option[];
  /** Whether a value that is no option goes into a text box. */
  open?: boolean;
  /** The option that goes with what is written into a text box beside radio buttons. */
  other?: string;
  /** The field's kind, where an action does not fit it. */
  kind?: Kind;
  /** Whether the form was submitted already. */
  posted?: boolean;
}

/** In pixels of the screen. */
interface Point { x: number; y: number }
interface Box { left: number; top: number; width: number; height: number }
/** What was measured, and how far the page would have to be scrolled for it. */
type Measured<T> = (T & { dx: number; dy: number }) | Problem;

/** A name and a value that a form sends. */
interface Entry { name: string; value: string }

type Kind = "text" | "textarea" | "radio" | "checkbox" | "select" | "range" | "hidden";
interface Option { value: string; text: string; visible: boolean }
interface Scale { low: number; high: number; step: number }
interface FieldRecord {
  name: string;
  kind: Kind;
  type: string;
  options: Option[];
  visible: boolean;
  disabled: boolean;
  multiple: boolean;
  scale: Scale | null;
  initial: string[];
  open: boolean;
}

/** A field that HTML validation refuses, and why in the browser's words. */
interface Refusal { name: string; words: string; visible: boolean }
interface SubmissionRecord {
  via: string;
  entries: Entry[];
  blocked: string;
  dialogs: string[];
  refused: string[];
  accepted: boolean;
  invalid: Refusal[];
}

interface Button { number: number; text: string }

// ---- the page ---------------------------------------------------------------------------------------------------------

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement;
type Submitter = HTMLButtonElement | HTMLInputElement;
/** "texts" are text boxes beside boxes or radio buttons of the same name. */
interface Field { name: string; kind: Kind; controls: Control[]; texts: Control[] }

interface State {
  /** Whether what the form sends is thrown away: a press that was not meant to submit. */
  held: boolean;
  /** Whether the harness itself is pressing Submit: no pointer has been aimed at anything. */
  aimless: boolean;
  /** What the first submission sends that nobody prevented. */
  posted: Entry[] | null;
  /** "alert:text", "open:url", ... */
  dialogs: string[];
  /** Addresses that the page tried to go to. */
  refused: string[];
  submitEvents: number;
  /** Names of controls that HTML validation complained about. */
  invalid: string[];
}

/** A method of a prototype as a function of the object and the method's arguments. */
type Own<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R ? (object: T, ...args: A) => R : never;
/** A property of a prototype as a function of the object. */
type Read<T, K extends keyof T> = (object: T) => T[K];

interface OwnProperties {
  elements: Read<HTMLFormElement, "elements">;
  requestSubmit: Own<HTMLFormElement, "requestSubmit">;
  type: Read<Node, "nodeType">;
  parent: Read<Node, "parentElement">;
  first: Read<Node, "firstChild">;
  next: Read<Node, "nextSibling">;
  isConnected: Read<Node, "isConnected">;
  root: Own<Node, "getRootNode">;
  data: Read<CharacterData, "data">;
  children: Read<Element, "children">;
  html: Read<Element, "outerHTML">;
  tag: Read<Element, "localName">;
  attributes: Read<Element, "attributes">;
  attribute: Own<Element, "getAttribute">;
  remove: Own<Element, "remove">;
  removeAttribute: Own<Element, "removeAttribute">;
  setAttribute: Own<Element, "setAttribute">;
  matches: (element: Element, selector: string) => boolean;
  closest: (element: Element, selector: string) => Element | null;
  find: (element: Element, selector: string) => Element | null;
  isRendered: Own<Element, "checkVisibility">;
  box: Own<Element, "getBoundingClientRect">;
  scrollIntoView: Own<Element, "scrollIntoView">;
  shadow: Read<Element, "shadowRoot">;
  content: Read<HTMLTemplateElement, "content">;
  framed: Read<HTMLIFrameElement, "contentDocument">;
  blur: Own<HTMLElement, "blur">;
  elementAt: Own<Document, "elementFromPoint">;
  listen: Own<EventTarget, "addEventListener">;
  unlisten: Own<EventTarget, "removeEventListener">;
}

interface OwnDocument {
  readonly forms: HTMLCollectionOf<HTMLFormElement>;
  readonly body: HTMLElement;
  readonly activeElement: Element | null;
  readonly documentElement: HTMLElement;
  readonly scrollingElement: Element | null;
  readonly readyState: DocumentReadyState;
  readonly implementation: DOMImplementation;
  readonly getElementById: Document["getElementById"];
  readonly elementFromPoint: Document["elementFromPoint"];
  readonly querySelector: Document["querySelector"];
  readonly querySelectorAll: Document["querySelectorAll"];
}

// ---- groups -----------------------------------------------------------------------------------------------------------

interface PageGroup {
  globals(): string[];
  settled(): Promise<number>;
  rest(): Promise<void>;
  quiet(): Promise<void>;
  /**
   * Lets what scripts have put off for so long happen now. Tells whether timers are left, or "more": frames, or what goes by
   * the machine's clock.
   */
  skip(milliseconds: number): Promise<"" | "timers" | "more">;
  sized(width: number, height: number): Promise<void>;
  pointed(x: number, y: number): Promise<void>;
  frame(): Promise<{ x: number; y: number; right: number; bottom: number }>;
  watchWheel(x: number, y: number): Promise<boolean>;
  wheelTurned(right: number, down: number, patience: number): Promise<boolean>;
  /** Elements by the debugger's numbers. */
  nodes(all: number[], numbers: number[], found: Node[]): Node[];
  leave(): void;
  isWriting(): boolean;
  /** Of foreign.js alone. */
  isLeaving(): boolean;
  html(): string;
  neighbourhood(name: string): { html: string; piece: number } | Problem;
}

interface FormGroup {
  /** The form that the answers are in. */
  element(): HTMLFormElement | null;
  controls(form: HTMLFormElement): Control[];
  /** The controls whose fields are told: those of the answer form; in a page of somebody else's those of all of it. */
  answers(): Control[];
  isControl(element: Element): element is Control;
  submitters(form: HTMLFormElement): Submitter[];
  /** Those whose value is an answer. */
  answerButtons(form: HTMLFormElement): Submitter[];
  /** Those that submit and by which a script may tell the answer. */
  choosing(form: HTMLFormElement): Submitter[];
  says(button: Submitter): boolean;
  buttonNames(): string[];
  /** Form-associated custom elements. */
  customs(form: HTMLFormElement): Element[];
  submitterOf(form: HTMLFormElement, control: HTMLElement | null): Submitter | null;
  entries(form: HTMLFormElement, control: HTMLElement | null): Entry[];
  submitControl(form: HTMLFormElement | null): Submitter | null;
  posted(): Promise<boolean>;
  submit(): Promise<SubmissionRecord>;
  hold(on: boolean): void;
  rehearse(): Promise<Entry[]>;
}

interface FieldsGroup {
  list(): FieldRecord[];
  named(name: string): Field | null;
  options(name: string): Option[];
  controlsByName(): Map<string, Control[]>;
  labelsOf(element: Element): HTMLLabelElement[];
  isVisible(control: Control): boolean;
  isChecked(control: Control): boolean;
  /** The names under which a picture that submits sends where it was pressed. */
  placeNames(picture: HTMLInputElement): string[];
  isButton(control: Control): control is Submitter;
  kindOf(control: Control): Kind;
  mainKind(controls: Control[]): Kind;
  textOf(control: Control): string;
  canChoose(option: HTMLOptionElement): boolean;
  valuesOf(kind: Kind, controls: Control[]): string[];
  scaleOf(control: HTMLInputElement): Scale;
}

type Sign = "button" | "picture" | "here" | "plain" | "role" | "reacts" | "written" | "area";
interface Description { tag: string; id: string; classes: string; text: string; alt: string; hint: string }

/** The tools that a page offers (WebMCP), where the browser has them. */
interface PageTool { name: string; description: string; inputSchema?: object }
interface Document {
  readonly modelContext?: { getTools(): Promise<PageTool[]>; executeTool(tool: PageTool, input: object): Promise<unknown> };
}
interface ToolsGroup {
  offered(): Promise<{ name: string; description: string; schema: string }[]>;
  call(name: string, input: object): Promise<{ answer: string } | Problem>;
}

interface PressablesGroup {
  /** A selector of the elements that bear one of these signs. */
  bearing(...signs: Sign[]): string;
  showsHand(cursor: string, above: string): boolean;
  leadsAway(link: Element): boolean;
  /** Whether links to other pages are there to be followed, as on websites. */
  followed: boolean;
  /** What the page listens on for presses; "listening" gives what was told last. */
  listen(...found: Node[]): void;
  listening(): ReadonlySet<Node>;
  isOperable(element: Element, tag: string, cursor: string, above: string): boolean;
  words(text: string, length: number): string;
  describe(element: Element): Description;
  selectorOf(element: Element): string;
  /** The number that an observation gives an element. */
  refOf(element: Element): number;
  /** The number by which another look knows it: that of an observation, if one has shown it. */
  numberOf(element: Element): number;
  element(number: number): Element | undefined;
  measure<T extends object>(number: number, measure: (element: Element) => T): Measured<T>;
  locate(number: number): Measured<Point | Problem>;
  aim(number: number): ((Point | Problem) & { what: string }) | Problem;
  /** The point to press, scrolled into view. */
  point(element: Element): Point | Problem;
  buttons(): Button[];
  /** As querySelectorAll of the document, and then of what form-associated custom elements have inside. */
  all(selector: string): Element[];
}

/** What a press would do nothing to, since it is as asked. */
interface Done { done: true; values?: string[]; texts?: string[] }

interface AimGroup {
  point(element: Element, beside?: boolean): Point | Problem;
  text(name: string): (Point & { type: string; value: string; maxLength: number; step: string }) | Problem;
  slider(name: string, value: number):
    (Point & { value: string; scale: Scale; nearest: number; upwards: boolean }) | Problem;
  select(name: string, values: string[]): (Point & { presses: number; listed: boolean; multiple: boolean; chosen: string[];
    key: string; unheard: boolean }) | Problem;
  listOption(values: string[]): Promise<(Point & { place: number }) | Done | Problem>;
  radio(name: string, value: string, beside?: boolean): Point | Done | Problem;
  box(name: string, values: string[], beside?: boolean):
    Promise<((Point | Problem) & { value: string; place: number }) | Done | Problem>;
  hearing(...found: Node[]): void;
  read(name: string): Promise<{ values: string[] | null; posted: boolean }>;
  set(value: string): void;
  selectText(): void;
  scrollTo(name: string): Box | Problem;
  isInView(name: string): boolean;
  fieldBox(name: string): Box | null;
}

/** What is done to an element, which decides what it has to be. */
type Use = "press" | "hover" | "write" | "choose" | "slide";
interface ElementsGroup {
  /** Whether the element of a number can be used so, and the point of the screen where it is; what it is called. */
  aim(number: number, use: Use): ((Point | Problem) & { what: string }) | Problem;
  /** What a control for text is, and holds; it is aimed at from now on. */
  text(number: number):
    (Point & { what: string; type: string; value: string; maxLength: number; step: string }) | Problem;
  /** What an element holds now; null for what is gone. */
  value(number: number): string | null;
  /** An attribute of an element, or of the nearest one around it that has it; null if none has. */
  attribute(number: number, name: string): string | null;
  selectAll(number: number): void;
  options(number: number): { what: string; options: Option[]; chosen: string[]; multiple: boolean } | Problem;
  /** The number of what a selector finds, once it is there and can be seen, or of what holds it and has one. */
  found(css: string, patience: number): Promise<{ number: number; count: number; place: number[] }>;
}

interface Clip {
  isPlaying: boolean;
  hasEnded: boolean;
  /** Seconds from its start. */
  at: number;
  /** Its length; null for one without an end, or of unknown length. */
  seconds: number | null;
  repeats: boolean;
  hasControls: boolean;
  failed: boolean;
}
interface ContentGroup {
  /** Where to press and where to let go to mark exactly this; brings it into view. */
  ends(range: Range): { from: Point; to: Point } | Problem;
  /** The same of words that are shown, at their place "occurrence" (from 1). */
  words(words: string, occurrence: number): { from: Point; to: Point } | Problem;
  selected(): string;
  clips(): Clip[];
  /** Brings a clip (from 1) into view and gives it the focus. */
  hold(number: number): Clip | Problem;
  /** When it plays no longer, has begun anew, or the time is over. */
  heard(number: number, milliseconds: number): Promise<Clip | Problem>;
  /** Whether a field can be answered, waited for so long. */
  opened(name: string, milliseconds: number): Promise<boolean>;
  /** Whether a field can be answered when so many seconds are skipped; null if only waiting tells. */
  opensBySkipping(name: string, seconds: number): Promise<boolean | null>;
}

interface SnapshotGroup {
  /** The page as JSON text (see "on the wire" in snapshot.js). */
  take(): string;
  elements(): Element[];
  places(): number[];
}

interface Selectors { css: string; xpath: string }
interface MarksGroup {
  /** Those that find the element alone; empty where there are none that are short. */
  selectors(element: Element): Selectors;
  /** The whole way from the root, as XPath; empty if it is too long. */
  way(element: Element): string;
  text(element: Element): string;
}
/** As harness.catalog.site_facts.ReadAs. */
type ReadAs = "text" | "value" | "markup" | "attribute" | "selected";
interface LeftGroup {
  read(css: string, number: number | null, reads: ReadAs, attribute: string): string;
}
interface MomentsGroup {
  /** When the page is at rest; by number the moments whose elements have come to hold something; whether it had not loaded. */
  settled(): Promise<{ title: string; values: { moment: number; value: string | null }[]; late: boolean }>;
  /** Which child of which child an element is, from the document's own down. */
  place(element: Element): number[];
  /** The document as JSON; "" if it is too large. */
  tree(): string;
  /** Brings what is at a place into view; where it is then: left, top, width, height. */
  show(place: number[]): [number, number, number, number] | null;
}
/** What an element is for who works it: something to write in, a drop-down list, something to be set, anything else. */
type RecordedControl = "text" | "list" | "slider" | "other";
type RecordedEvent = "click" | "input" | "change" | "key";
/** As harness.catalog.trace.ElementMark, and what a person calls it. */
interface RecordedMark extends Selectors { tag: string; text: string; label: string; attributes: Record<string, string> }
interface RecordedGroup {
  /** What is at a point of the viewport; of a drop-down list that is closed what it offers. */
  at(x: number, y: number): { mark: RecordedMark; options: string[] } | null;
}
interface FilmTarget extends Selectors { box: [number, number, number, number]; text: string }
interface FilmGroup {
  /** What a frame tells beside its picture, of what was done since the one before; the field or number that was meant. */
  take(name: string | null, number: number | null, watched: boolean, whole: boolean): {
    url: string; title: string; html: string; size: [number, number]; scroll: [number, number]; target: FilmTarget | null;
    presses: number; keys: number | null; changed: boolean;
  };
}

// ---- snapshots --------------------------------------------------------------------------------------------------------

type NodeControl = Control & { type: string };
/** As harness.observe.snapshot.Control. */
interface SnapshotControl {
  field: string | null;
  kind: string;
  value: string | null;
  states: string[];
  labels: number[];
}
/** As harness.observe.snapshot.Node. */
interface SnapshotNode {
  type: number;
  parent: number;
  text: string;
  attributes: Entry[];
  display: string;
  ref: number;
  box: Box | null;
  control: SnapshotControl | null;
}
interface SnapshotView { width: number; height: number; left: number; top: number; pageWidth: number; pageHeight: number }
/** What a node hands down to what is in it. */
interface Above { place: number; live: boolean; framed: boolean; cursor: string; text: string }
interface Step { node: Node; up: Above }

// What Chromium has and TypeScript's library does not.
interface NavigateEvent extends Event {
  readonly destination: { readonly url: string; readonly sameDocument: boolean };
  readonly formData: FormData | null;
}
interface Navigation extends EventTarget {
  readonly currentEntry: NavigationHistoryEntry | null;
  entries(): NavigationHistoryEntry[];
  back(key?: string): unknown;
  forward(key?: string): unknown;
  traverseTo(key?: string): unknown;
  addEventListener(type: "navigate", listener: (event: NavigateEvent) => void): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
}
declare var Navigation: { prototype: Navigation };
declare var navigation: Navigation;
