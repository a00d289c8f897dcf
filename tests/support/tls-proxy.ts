import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Certificate } from './certificate.ts'

/** TLS proxy in front of a local port, as described in `docs/operations.md`. */
export interface TlsProxy {
  /** Forwards the visitor's `Host` header with all later requests. */
  forwardHostHeader(): void
  close(): Promise<void>
}

export async function openTlsProxy(port: number, target: number, { key, cert }: Certificate): Promise<TlsProxy> {
  let forwardsHost = false
  const forwardRequest = (req: IncomingMessage) => {
    const { host, ...rest } = req.headers
    const headers = {
      ...rest,
      host: forwardsHost ? host : `127.0.0.1:${target}`,
      'cf-connecting-ip': req.socket.remoteAddress ?? '',
    }
    return request({ host: '127.0.0.1', port: target, method: req.method, path: req.url, headers })
  }
  const server = createServer({ key, cert }, (req, res) => {
    const out = forwardRequest(req)
    out.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    out.on('error', () => res.writeHead(502).end())
    req.pipe(out)
  })
  server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
    const out = forwardRequest(req)
    out.on('upgrade', (answer, upstreamSocket) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`)
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      upstreamSocket.pipe(socket).pipe(upstreamSocket)
      for (const [source, other] of [
        [upstreamSocket, socket],
        [socket, upstreamSocket],
      ] as const)
        source.on('error', () => other.destroy())
    })
    out.on('response', () => socket.destroy())
    out.on('error', () => socket.destroy())
    out.end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    forwardHostHeader: () => (forwardsHost = true),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
