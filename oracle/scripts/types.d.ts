// The oracle's part of the in-page library, and the records that go to Python.

interface Harness {
  /** Loaded when the oracle first looks closer. */
  oracle?: OracleLooks;
}

interface PressableRecord { number: number; text: string; tag: string; id: string; classes: string; listens: boolean }
interface Selected { number: number; tag: string; text: string; box: Box }
interface TextBlock { number: number; text: string; id: string; listens: boolean; is_heard: boolean; parts: [number, number][] }
interface Named { number: number; names: string[]; parent: number; classes: string }
interface Holder { number: number; id: string; classes: string[]; names: string[] }
interface Grid { rows: string[]; columns: string[]; cells: number[][] }

interface Part { number: number; box: Box; kind: string; holders: number[]; numbers: number[][] }
interface TickBox { number: number; group: string; single: boolean; ticked: boolean; names: string[] }

interface Opener { number: number; hint: string; own: boolean; beside: boolean; written: boolean }
interface CalendarControl { number: number; tag: string; hint: string; value: string; options: string[] }
interface Calendar { around: number[]; days: number[]; captions: string[]; controls: CalendarControl[] }

interface OracleLooks {
  // For the oracle's other scripts.
  isShown(element: Element): boolean;
  isListening(element: Element): boolean;
  innerText(element: Element): string | undefined;
  pressable(): Element[];

  pressables(): PressableRecord[];
  box(number: number): Measured<Box>;
  boxNow(number: number): Box | Problem;
  select(selector: string): Selected[];
  rails(): { track: number; handles: number[] }[];
  within(number: number): number[];
  openers(name: string): Opener[];
  saying(text: string): number[];
  ownFrames(): number[];
  hasFocus(number: number): boolean;
  calendars(): Calendar[];
  textBlocks(): TextBlock[];
  blank(fromX: number, fromY: number): { selected: boolean; at: Point | null };
  stretch(number: number, start: number, end: number): Measured<{ from: Point; to: Point } | Problem>;
  named(selector: string): Named[];
  holders(selector: string): Holder[];
  inOrder(wanted: number[]): number[];
  rows(): { number: number; names: string[] }[][];
  grids(): Grid[];
  parts(): Part[];
  boxes(): TickBox[];
  /** Pictures that submit the form, with the names under which they send where they were pressed. */
  choosing(): number[];
  pictures(): { number: number; x: string; y: string }[];
  surface(number: number): Measured<Box & { scaleX: number; scaleY: number }>;
}
