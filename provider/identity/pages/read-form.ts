import type { IncomingMessage } from 'node:http'
import type Provider from 'oidc-provider'

/** Context of identity server middleware. */
export type Context = Parameters<Parameters<Provider['use']>[0]>[0]

/** Reads the body as text. `answerOidc` has already enforced its limit. */
export async function readRequestText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  // eslint-disable-next-line no-restricted-syntax -- counted before it came here
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readRequestText(req))
}

const OTHER_SITES: readonly string[] = ['cross-site', 'same-site']

/**
 * Returns true if a page of another origin sent the form. Checks both Origin and Sec-Fetch-Site, because a browser may
 * omit one of them.
 */
export function isForeign(ctx: Context, providerOrigin: string): boolean {
  const origin = ctx.get('origin')
  return (origin !== '' && origin !== providerOrigin) || OTHER_SITES.includes(ctx.get('sec-fetch-site'))
}
