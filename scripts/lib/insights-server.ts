import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves one page on loopback and returns its URL and the server. Rejects requests with a foreign Host header, because
 * another site could otherwise read the page through DNS rebinding.
 */
export async function servePage(makePage: () => Promise<string>): Promise<{ address: string; server: Server }> {
  const server = createServer((request, response) => {
    const own = listAllowedHosts(server)
    if (!own.includes(request.headers.host ?? ''))
      return void response.writeHead(403).end('Open the URL that the command printed.\n')
    if (request.url !== '/') return void response.writeHead(404).end('This server has only one page: /\n')
    makePage().then(
      (page) => response.writeHead(200, PAGE_HEADERS).end(page),
      (error: unknown) =>
        response
          .writeHead(502, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
          .end(`${error instanceof Error ? error.message : "The report couldn't be loaded."}\n`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://${listAllowedHosts(server)[0] ?? ''}/`, server }
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function listAllowedHosts(server: Server): readonly string[] {
  const { port } = server.address() as AddressInfo
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}
