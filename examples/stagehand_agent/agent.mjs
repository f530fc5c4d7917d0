// An agent from outside: Stagehand, with a model of yours, in the browser of the episode.
//
//     npm install --prefix examples/stagehand_agent
//     AGENT_MODEL=gpt-6-luna python -m harness.evaluate --solver command \
//         --command "node --use-env-proxy examples/stagehand_agent/agent.mjs" --pass-env OPENAI_API_KEY \
//         --pass-env AGENT_MODEL --allow-host api.openai.com --max-instances 2
//
// `cdpUrl` is the one line that joins it to the episode. It acts once on each field that can be seen, in words of its
// own model; what that took is reported. OPENAI_BASE_URL names another server that speaks the protocol of OpenAI.

import { text } from "node:stream/consumers";
import { Stagehand } from "@browserbasehq/stagehand";

const told = JSON.parse(await text(process.stdin));
const model = process.env.AGENT_MODEL ?? "gpt-6-luna";
const stagehand = new Stagehand({
  env: "LOCAL",
  localBrowserLaunchOptions: { cdpUrl: told.devtools.browser },
  model: {
    modelName: `openai/${model}`,
    apiKey: process.env.OPENAI_API_KEY,
    baseURL: process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1",
  },
  disableAPI: true,
  verbose: 0,
});
await stagehand.init();
for (const field of told.fields.filter((field) => field.visible)) {
  const options = field.options.map((option) => option.label).join(", ");
  const choice = options ? `, of which the options are ${options}` : "";
  const made = await stagehand.act(`Give the field "${field.name}"${choice}, the answer that the page asks for`);
  console.log(made.message); // what is printed is kept with the episode
}
const { totalPromptTokens: input_tokens, totalCompletionTokens: output_tokens } = await stagehand.metrics;
console.log(JSON.stringify({ agent_report: { input_tokens, output_tokens, model } }));
await stagehand.close();
