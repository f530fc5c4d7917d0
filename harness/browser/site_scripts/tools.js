// The tools that the shown page itself offers (WebMCP); without any where the browser, or the page, knows none.
(() => {
  "use strict";
  harness.tools = {
    offered: async () => {
      const tools = await document.modelContext?.getTools() ?? [];
      return tools.map(({ name, description, inputSchema }) => ({ name, description, schema: JSON.stringify(inputSchema ?? {}) }));
    },
    call: async (name, input) => {
      const context = document.modelContext;
      const tools = await context?.getTools() ?? [];
      const tool = tools.find((each) => each.name === name);
      if (!context || !tool) {
        const names = tools.map((each) => each.name).join(", ");
        return { code: "wrong_argument", error: "there is no tool " + JSON.stringify(name) + "; the page has " + (names || "none") };
      }
      try {
        return { answer: String(await context.executeTool(tool, input) ?? "") };
      } catch (error) {
        return { code: "wrong_argument", error: String(error) };
      }
    },
  };
})();
