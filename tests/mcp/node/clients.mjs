// Connect the official TypeScript clients to a server: `node clients.mjs '["quoth", "mcp"]'` prints what each of them saw.
// `node clients.mjs '["quoth", "mcp"]' write` lets them remember, read and forget.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = JSON.parse(process.argv[2]);
const server = { command, args, env: process.env, stderr: "ignore" };
const info = { name: "typescript", version: "1" };
const kinds = {
  older: [new OlderClient(info), OlderTransport],
  legacy: [new Client(info), StdioClientTransport],
  modern: [new Client(info, { versionNegotiation: { mode: "auto" } }), StdioClientTransport],
};

async function see(client) {
  const { tools } = await client.listTools();
  const found = await client.callTool({ name: "search", arguments: { query: "parser" } });
  const refused = await client.callTool({ name: "get", arguments: { id: "codex:none" } });
  return {
    instructions: client.getInstructions(),
    tools: tools.map((tool) => tool.name),
    found: found.content[0].text,
    refused: [refused.isError, refused.content[0].text],
    version: client.getNegotiatedProtocolVersion?.() ?? null,
  };
}

async function keep(client, kind) {
  const call = (name, given) => client.callTool({ name, arguments: given });
  const done = await call("remember", { text: `Said by the client ${kind}.`, uncited: "known" });
  const { id } = JSON.parse(done.content[0].text).entry;
  const answers = [done, await call("get", { id }), await call("forget", { id, reason: "asked for" })];
  const refused = await call("get", { id });
  return [id, ...answers.map((answer) => JSON.parse(answer.content[0].text)), [refused.isError, refused.content[0].text]];
}

const ask = process.argv[3] === "write" ? keep : see;
const seen = {};
for (const [kind, [client, Transport]] of Object.entries(kinds)) {
  await client.connect(new Transport(server));
  seen[kind] = await ask(client, kind);
  await client.close();
}
console.log(JSON.stringify(seen));
