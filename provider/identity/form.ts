import type { IncomingMessage } from 'node:http'
import type Provider from 'oidc-provider'

const FORM_MAX = 8 * 1024

/** What middleware of the identity server is called with. */
export type Context = Parameters<Parameters<Provider['use']>[0]>[0]

/** The body as text; '' when it is longer than a form of ours can be. */
export async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > FORM_MAX) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(req))
}

/** Whether a form was sent by a page of another site. */
export function isForeign(ctx: Context, providerOrigin: string): boolean {
  return ctx.get('origin') !== '' && ctx.get('origin') !== providerOrigin
}
