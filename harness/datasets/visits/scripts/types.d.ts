// The part of the in-page library that counts what a page shows, and the record that goes to Python.

interface Harness {
  /** Loaded when a page is looked at for the statistics of its task set. */
  media?: { find(): MediaRecord };
}

interface MediaRecord { words: number; pictures: number; videos: number; sounds: number; frames: number }
