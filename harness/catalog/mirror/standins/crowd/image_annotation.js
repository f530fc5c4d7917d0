// crowd-bounding-box, -keypoint, -polygon, -polyline, -line: shapes under labels on an image. Coordinates are pixels
// of the image at its own size, whatever the size it is shown at.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});
  const SVG = "http://www.w3.org/2000/svg";
  // How near to the first corner a press closes a polygon, and how small a box is none; CSS pixels.
  const NEAR = 8;
  const SMALLEST = 3;

  const svg = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  class ImageTool extends crowd.Tool {
    #shapes = [];
    #drawn = []; // the points of the shape that is being drawn, in pixels of the image

    get question() { return "Labels"; }

    frame() {
      const frame = super.frame();
      this.palette = new crowd.Palette(this.list("labels"));
      this.image = crowd.make("img", { alt: "Image to be annotated", draggable: false });
      this.layer = svg("svg", {});
      this.canvas = crowd.make("div", { className: "crowd-canvas", tabIndex: 0, ariaLabel: "Image to be annotated" }, this.image, this.layer);
      this.marked = crowd.make("ul", { className: "crowd-list" });
      this.target.append(this.canvas);
      this.panel.append(...this.palette.buttons, crowd.make("p", { className: "crowd-hint" }, this.hint), this.marked);
      this.canvas.addEventListener("pointerdown", (event) => this.#press(event));
      this.canvas.addEventListener("pointermove", (event) => this.#move(event));
      this.canvas.addEventListener("pointerup", (event) => this.#release(event));
      this.canvas.addEventListener("dblclick", () => this.#finish());
      this.canvas.addEventListener("keydown", (event) => this.#key(event));
      this.image.addEventListener("load", () => this.#changed());
      this.image.src = this.getAttribute("src") ?? "";
      this.#shapes = Array.from(crowd.parse(this.getAttribute("initial-value"), []));
      this.#changed();
      return frame;
    }

    // Pixels of the image in a pixel of the page.
    get #scale() { return (this.image.naturalWidth || 1) / (this.image.getBoundingClientRect().width || 1); }

    #at(event) {
      const box = this.image.getBoundingClientRect();
      const within = (value, most) => Math.round(Math.min(Math.max(value * this.#scale, 0), most));
      return {
        x: within(event.clientX - box.left, this.image.naturalWidth), y: within(event.clientY - box.top, this.image.naturalHeight),
      };
    }

    #press(event) {
      if (event.button !== 0 || !this.palette.labels.length) return;
      const point = this.#at(event);
      if (this.dragged) {
        this.#drawn = [point, point];
        this.canvas.setPointerCapture(event.pointerId);
        return;
      }
      const apart = (other) => (other ? Math.hypot(point.x - other.x, point.y - other.y) : Infinity);
      if (this.closes && this.#drawn.length > 2 && apart(this.#drawn[0]) < NEAR * this.#scale) return void this.#finish();
      if (apart(this.#drawn.at(-1)) > 0) this.#drawn.push(point); // the second press of a double one adds none
      if (this.#drawn.length === this.most) this.#finish();
      this.#draw();
    }

    #move(event) {
      if (!this.dragged || !this.#drawn.length) return;
      this.#drawn = [this.#drawn[0], this.#at(event)];
      this.#draw();
    }

    #release(event) {
      if (!this.dragged || !this.#drawn.length) return;
      const [from] = this.#drawn;
      const to = this.#at(event);
      this.#drawn = Math.min(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) < SMALLEST * this.#scale ? [] : [from, to];
      this.#finish();
    }

    // The drawn points become a shape, if they are enough for one.
    #finish() {
      const points = this.#drawn;
      this.#drawn = [];
      if (points.length >= this.least) this.#shapes.push(this.shape(points, this.palette.chosen));
      this.#changed();
    }

    #key(event) {
      this.palette.key(event);
      if (event.key === "Enter") this.#finish();
      else if (event.key === "Escape") this.#drawn = [];
      else if (event.key === "Backspace") {
        if (this.#drawn.length) this.#drawn.pop();
        else this.#shapes.pop();
        return void this.#changed();
      } else return;
      event.preventDefault();
      this.#draw();
    }

    #changed() {
      this.#draw();
      this.marked.replaceChildren(...crowd.listed(this.#shapes, (shape) => `${shape.label} (${this.words(shape)})`, (index) => {
        this.#shapes.splice(index, 1);
        this.#changed();
      }));
      this.write(this.value);
    }

    #draw() {
      const { naturalWidth, naturalHeight } = this.image;
      this.layer.setAttribute("viewBox", `0 0 ${naturalWidth || 1} ${naturalHeight || 1}`);
      const pen = (label) => ({
        stroke: this.palette.colour(label), "stroke-width": 2, fill: this.palette.colour(label), "vector-effect": "non-scaling-stroke",
      });
      const shapes = this.#shapes.flatMap((shape) => this.figures(this.points(shape), pen(shape.label)));
      const drawn = this.#drawn.length ? this.figures(this.#drawn, pen(this.palette.chosen)) : [];
      this.layer.replaceChildren(...shapes, ...drawn);
    }

    dot({ x, y }, pen) { return svg("circle", { cx: x, cy: y, r: 4 * this.#scale, ...pen }); }

    get value() {
      const shapes = this.#shapes.map((shape) => structuredClone(shape));
      const inputImageProperties = { height: this.image.naturalHeight, width: this.image.naturalWidth };
      return { [this.column]: shapes, inputImageProperties };
    }
    set value(value) {
      this.#shapes = Array.from(value?.[this.column] ?? []);
      this.#changed();
    }

    // AMT makes a column of every number of an object, and one of a list.
    write({ inputImageProperties: { height, width }, ...shapes }) {
      super.write({ ...shapes, "inputImageProperties.height": height, "inputImageProperties.width": width });
    }
  }

  class BoundingBox extends ImageTool {
    column = "boundingBoxes";
    dragged = true;
    least = 2;
    get hint() { return "Choose a label, then draw a box with the mouse. Backspace removes the last one."; }
    shape([from, to], label) {
      return {
        height: Math.abs(to.y - from.y), label, left: Math.min(from.x, to.x), top: Math.min(from.y, to.y), width: Math.abs(to.x - from.x),
      };
    }
    points({ left, top, width, height }) { return [{ x: left, y: top }, { x: left + width, y: top + height }]; }
    words({ left, top, width, height }) { return `${width} × ${height} at ${left}, ${top}`; }
    figures([from, to], pen) {
      const { left, top, width, height } = this.shape([from, to ?? from], "");
      return [svg("rect", { x: left, y: top, width, height, ...pen, "fill-opacity": 0.15 })];
    }
  }

  class Keypoint extends ImageTool {
    column = "keypoints";
    least = 1;
    most = 1;
    get hint() { return "Choose a label, then press where the point is. Backspace removes the last one."; }
    shape([{ x, y }], label) { return { label, x, y }; }
    points({ x, y }) { return [{ x, y }]; }
    words({ x, y }) { return `${x}, ${y}`; }
    figures(points, pen) { return points.map((point) => this.dot(point, pen)); }
  }

  // Corners one after the other.
  class Path extends ImageTool {
    shape(points, label) { return { label, vertices: points }; }
    points({ vertices }) { return vertices; }
    words({ vertices }) { return `${vertices.length} points`; }
    figures(points, pen) {
      const path = points.map(({ x, y }) => `${x},${y}`).join(" ");
      const fill = this.closes ? { "fill-opacity": 0.15 } : { fill: "none" };
      return [svg(this.closes ? "polygon" : "polyline", { points: path, ...pen, ...fill }), ...points.map((point) => this.dot(point, pen))];
    }
  }

  class Polygon extends Path {
    column = "polygons";
    closes = true;
    least = 3;
    get hint() { return "Choose a label, then press corner after corner; Enter or the first corner again closes the shape."; }
  }

  class Polyline extends Path {
    column = "polylines";
    least = 2;
    get hint() { return "Choose a label, then press point after point; Enter or a double press ends the line."; }
  }

  class Line extends Path {
    column = "lines";
    least = 2;
    most = 2;
    get hint() { return "Choose a label, then press where the line begins and where it ends."; }
  }

  crowd.define("crowd-bounding-box", BoundingBox);
  crowd.define("crowd-keypoint", Keypoint);
  crowd.define("crowd-polygon", Polygon);
  crowd.define("crowd-polyline", Polyline);
  crowd.define("crowd-line", Line);
})();
