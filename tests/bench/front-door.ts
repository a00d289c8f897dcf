import { once } from 'node:events'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { type AddressInfo } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import { createSelfSignedCertificate, HashAlgorithm, NamedCurveAlgorithm, SignatureAlgorithm } from 'werift'

/**
 * Brotli quality: build files (`file`) are compressed once and cached; responses of calls (`answer`) are compressed
 * while the client waits.
 */
const QUALITY = { file: 11, answer: 4 }
const TEXT = /^(text|application\/(json|javascript)|image\/svg)/
/** Connection-specific headers, which HTTP/2 does not forward. */
const OF_CONNECTION =
  /^(:|connection$|keep-alive$|transfer-encoding$|content-length$|content-encoding$|host$|accept-enc)/

/** The portal as a CDN serves it: over HTTP/2, text compressed with brotli. */
export interface FrontDoor {
  readonly origin: string
  close(): void
}

/**
 * Starts a proxy in front of the portal at `origin`. The proxy replaces its own origin in the request headers, so the
 * portal sees requests of its own pages. `bare`: HTML of additional pages by path.
 */
export async function openFrontDoor(origin: string, bare: Readonly<Record<string, string>> = {}): Promise<FrontDoor> {
  const { certPem, keyPem } = await createSelfSignedCertificate(
    { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 },
    NamedCurveAlgorithm.secp256r1_23,
  )
  const files = new Map<string, Buffer>()
  const server: Http2SecureServer = createSecureServer({ cert: certPem, key: keyPem }, (ask, reply) => {
    const html = bare[ask.url]
    if (html) return void reply.writeHead(200, { 'content-type': 'text/html' }).end(html)
    void pass(origin, files, ask, reply).catch(() => reply.stream.close())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

async function pass(
  origin: string,
  files: Map<string, Buffer>,
  ask: Http2ServerRequest,
  reply: Http2ServerResponse,
): Promise<void> {
  const body: Buffer[] = []
  for await (const part of ask) body.push(part as Buffer)
  const own = `https://${ask.authority}`
  const headers = Object.entries(ask.headers)
    .filter(([name]) => !OF_CONNECTION.test(name))
    .map(([name, value]): [string, string] => [name, String(value).replace(own, origin)])
  const answer = await fetch(origin + ask.url, {
    method: ask.method,
    headers,
    redirect: 'manual',
    ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  for (const [name, value] of answer.headers) if (!OF_CONNECTION.test(name)) reply.setHeader(name, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.setHeader('set-cookie', cookies)
  reply.statusCode = answer.status
  if (!TEXT.test(answer.headers.get('content-type') ?? '') || bytes.length === 0) return void reply.end(bytes)
  reply.setHeader('content-encoding', 'br')
  if (ask.url.startsWith('/api/')) return void reply.end(brotli(bytes, QUALITY.answer))
  const file = files.get(ask.url) ?? brotli(bytes, QUALITY.file)
  files.set(ask.url, file)
  reply.end(file)
}

function brotli(bytes: Buffer, quality: number): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}
