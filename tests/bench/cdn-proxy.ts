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
 * Brotli quality. `file`: for build files, which the proxy compresses once and caches. `answer`: for call responses,
 * which it compresses while the client waits.
 */
const BROTLI_QUALITY = { file: 11, answer: 4 }
const TEXT_TYPE = /^(text|application\/(json|javascript)|image\/svg)/
/** Headers that the proxy must not forward, because they belong to one connection or to one encoding of the body. */
const CONNECTION_HEADER =
  /^(:|connection$|keep-alive$|transfer-encoding$|content-length$|content-encoding$|host$|accept-enc)/

/** Proxy that serves the portal as a CDN does: over HTTP/2, with brotli-compressed text. */
export interface CdnProxy {
  readonly origin: string
  close(): void
}

/**
 * Starts a proxy in front of the portal at `origin`. Replaces the proxy's origin in request headers, so that the portal
 * accepts the requests. `extraPages`: HTML of additional pages by path.
 */
export async function startCdnProxy(
  origin: string,
  extraPages: Readonly<Record<string, string>> = {},
): Promise<CdnProxy> {
  const { certPem, keyPem } = await createSelfSignedCertificate(
    { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 },
    NamedCurveAlgorithm.secp256r1_23,
  )
  const files = new Map<string, Buffer>()
  const server: Http2SecureServer = createSecureServer({ cert: certPem, key: keyPem }, (request, response) => {
    const html = extraPages[request.url]
    if (html) return void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    void forwardRequest(origin, files, request, response).catch(() => response.stream.close())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

async function forwardRequest(
  origin: string,
  files: Map<string, Buffer>,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const body: Buffer[] = []
  for await (const chunk of request) body.push(chunk as Buffer)
  const proxyOrigin = `https://${request.authority}`
  const headers = Object.entries(request.headers)
    .filter(([name]) => !CONNECTION_HEADER.test(name))
    .map(([name, value]): [string, string] => [name, String(value).replace(proxyOrigin, origin)])
  const answer = await fetch(origin + request.url, {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  for (const [name, value] of answer.headers) if (!CONNECTION_HEADER.test(name)) response.setHeader(name, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.statusCode = answer.status
  if (!TEXT_TYPE.test(answer.headers.get('content-type') ?? '') || bytes.length === 0) return void response.end(bytes)
  response.setHeader('content-encoding', 'br')
  if (request.url.startsWith('/api/')) return void response.end(compressBrotli(bytes, BROTLI_QUALITY.answer))
  const compressed = files.get(request.url) ?? compressBrotli(bytes, BROTLI_QUALITY.file)
  files.set(request.url, compressed)
  response.end(compressed)
}

function compressBrotli(bytes: Buffer, quality: number): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}
