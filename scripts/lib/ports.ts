import { createServer } from 'node:net'
import { Stop } from './stop.ts'

/** Throws a Stop when somebody listens on the port already. */
export async function requireFree(port: number, wanted: number): Promise<void> {
  if (await isFree(port)) return
  throw new Stop(
    `Port ${port} is taken by another program. Stop that program, or start with another port: npm start -- --port ${wanted + 100}`,
  )
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A port that nobody uses at the moment. */
export function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port.')),
      )
    })
  })
}
