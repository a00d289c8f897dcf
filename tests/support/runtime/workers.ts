/** Stands for `cloudflare:workers` where a test reads the table of routes in Node; nothing is run by it. */
export class DurableObject {}
