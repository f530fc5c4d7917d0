// What the agents in Node enter into a form: what a model says, or no judgement.
//
// AGENT_MODEL names a model of a server that speaks the protocol of OpenAI; OPENAI_BASE_URL is the server's address, and
// OPENAI_API_KEY the key to it. Where no model is named, the first option of everything is taken, and words of the page.

const WORDS = 8;
const ASKED =
  "Fill in the form of this page. Answer with one JSON object: for the name of each field the value to enter, as a " +
  "string. Of a field with options it is the value of one of them.";

// For the name of a field one of its options, or a text. A field that a model says nothing about is left out.
export async function answers(fields, text) {
  const model = process.env.AGENT_MODEL;
  if (!model) return Object.fromEntries(fields.map((field) => [field.name, firstAnswer(field, text)]));
  const said = await asked(model, `${ASKED}\n\nFields: ${JSON.stringify(fields)}\n\nPage:\n${text}`);
  const names = fields.map((field) => field.name).filter((name) => name in said);
  return Object.fromEntries(names.map((name) => [name, String(said[name])]));
}

function firstAnswer(field, text) {
  if (field.options.length) return field.options.find((option) => option.value)?.value ?? "";
  if (field.kind === "range") return String(field.scale[0]);
  if (field.type === "number") return "1";
  return text.split(/\s+/).filter(Boolean).slice(0, WORDS).join(" ");
}

// What a model says, an object; what it took is told the harness, which cannot know it.
async function asked(model, prompt) {
  const address = process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
  const reply = await fetch(`${address}/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: prompt }],
      response_format: { type: "json_object" },
    }),
  });
  if (!reply.ok) throw new Error(`the model's server says ${reply.status}: ${await reply.text()}`);
  const { choices, usage } = await reply.json();
  const report = { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens, model };
  console.log(JSON.stringify({ agent_report: report }));
  return JSON.parse(choices[0].message.content);
}
