import type { IncomingMessage } from 'node:http'
import type Provider from 'oidc-provider'

export type KoaContext = Parameters<Parameters<Provider['use']>[0]>[0]

/** Reads the body as text. `handleOidcRequest` has already enforced its size limit. */
export async function readRequestText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  // eslint-disable-next-line no-restricted-syntax -- `handleOidcRequest` has already checked the body size
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readRequestText(req))
}

const FOREIGN_FETCH_SITES: readonly string[] = ['cross-site', 'same-site']

/**
 * Returns true if a page of another origin sent the form. Checks Origin and Sec-Fetch-Site, because a browser may omit
 * one of these headers.
 */
export function isCrossOriginForm(ctx: KoaContext, providerOrigin: string): boolean {
  const origin = ctx.get('origin')
  return (origin !== '' && origin !== providerOrigin) || FOREIGN_FETCH_SITES.includes(ctx.get('sec-fetch-site'))
}
