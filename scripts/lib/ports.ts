import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { Stop } from './stop.ts'

/** Throws a Stop when somebody listens on the port already. */
export async function requireFree(port: number, requestedPort: number): Promise<void> {
  if (await isFree(port)) return
  throw new Stop(
    `Port ${port} is taken by another program. Stop that program, or start with another port: npm start -- --port ${requestedPort + 100}`,
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
/** Vitest runs so many files at once (vitest.config.ts); each has ports of its own, as nobody listens yet on what was given. */
const LANES = 8
const assignedPorts = new Set<number>()

/** A port that nobody uses at the moment, nor the two after it, and that this process has not been given before. */
export async function anyFreePort(): Promise<number> {
  const { from, below } = portRange(process.env['VITEST_POOL_ID'])
  for (;;) {
    const port = randomInt(from, below - 2)
    const three = [port, port + 1, port + 2]
    if (three.some((candidate) => assignedPorts.has(candidate))) continue
    for (const candidate of three) assignedPorts.add(candidate)
    const free = await Promise.all(three.map(isFree))
    if (free.every(Boolean)) return port
  }
}

function portRange(pool: string | undefined): typeof LISTEN {
  if (pool === undefined) return LISTEN
  const width = Math.floor((LISTEN.below - LISTEN.from) / LANES)
  const from = LISTEN.from + (Number(pool) % LANES) * width
  return { from, below: from + width }
}
