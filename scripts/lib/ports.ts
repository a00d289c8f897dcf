import { randomInt } from 'node:crypto'
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

/** Connections get their own ports from above these: a server that starts again would find its port taken by one of them. */
const LISTEN = { from: 10_000, below: 32_000 }

/** A port that nobody uses at the moment, nor the two after it. */
export async function anyFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LISTEN.from, LISTEN.below)
    const free = await Promise.all([port, port + 1, port + 2].map(isFree))
    if (free.every(Boolean)) return port
  }
}
