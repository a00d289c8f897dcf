import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves one page on loopback. Rejects requests whose Host is not this server's own, so that a foreign page cannot read
 * it by another name (DNS rebinding). Returns the URL and the server.
 */
export async function servePage(makePage: () => Promise<string>): Promise<{ address: string; server: Server }> {
  const server = createServer((request, answer) => {
    const own = listAllowedHosts(server)
    if (!own.includes(request.headers.host ?? ''))
      return void answer.writeHead(403).end('Ask by the address that was printed.\n')
    if (request.url !== '/') return void answer.writeHead(404).end('There is one page here: /\n')
    makePage().then(
      (page) => answer.writeHead(200, HEADERS).end(page),
      (error: unknown) =>
        answer
          .writeHead(502, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' })
          .end(`${error instanceof Error ? error.message : 'It could not be asked.'}\n`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://${listAllowedHosts(server)[0] ?? ''}/`, server }
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function listAllowedHosts(server: Server): readonly string[] {
  const { port } = server.address() as AddressInfo
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}
