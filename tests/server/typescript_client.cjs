// The official TypeScript client, asked by test_typescript_client.py: what it saw goes to stdout as JSON.
// Arguments: where the server is (a URL, or its command line as a JSON list), and the calls as a JSON list of
// [tool, arguments]. Needs @modelcontextprotocol/sdk and ajv on NODE_PATH.
"use strict";

const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { Ajv2020 } = require("ajv/dist/2020.js");

function transportTo(server) {
  if (!server.startsWith("[")) return new StreamableHTTPClientTransport(new URL(server));
  const [command, ...args] = JSON.parse(server);
  return new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" });
}

async function main(server, calls) {
  const client = new Client({ name: "typescript", version: "1" });
  await client.connect(transportTo(server));
  try {
    return { instructions: client.getInstructions(), ...(await asked(client, calls)) };
  } finally {
    await client.close(); // else the server, and so this process, would stay
  }
}

async function asked(client, calls) {
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: true, allowUnionTypes: true });
  const schemas = new Map(
    tools.map((tool) => [tool.name, { input: ajv.compile(tool.inputSchema), output: ajv.compile(tool.outputSchema) }]),
  );
  const answers = [];
  for (const [name, args] of JSON.parse(calls)) {
    const { content, structuredContent = null, isError = false } = await client.callTool({ name, arguments: args });
    const { input, output } = schemas.get(name);
    input(args);
    if (structuredContent) output(structuredContent);
    answers.push({
      text: content[0].text,
      structured: structuredContent,
      refused: isError,
      input_errors: input.errors ?? [],
      output_errors: (structuredContent && output.errors) ?? [],
    });
  }
  return { tools, answers };
}

main(...process.argv.slice(2))
  .then((report) => new Promise((written) => process.stdout.write(JSON.stringify(report), written)))
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
