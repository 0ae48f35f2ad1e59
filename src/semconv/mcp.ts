/**
 * The Model Context Protocol, on either side.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/mcp.md
 */
/** Text: `tools/call`, `tools/list`, … */
export const ATTR_MCP_METHOD_NAME = 'mcp.method.name';
/** Text, what is read. */
export const ATTR_MCP_RESOURCE_URI = 'mcp.resource.uri';
/** The method that runs a tool. */
export const METHOD_TOOLS_CALL = 'tools/call';
/** The method that fetches a prompt. */
export const METHOD_PROMPTS_GET = 'prompts/get';
/** The method that reads a resource. */
export const METHOD_RESOURCES_READ = 'resources/read';
