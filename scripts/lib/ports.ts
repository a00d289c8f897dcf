import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { Stop } from './stop.ts'

/** Throws `Stop` if the port is in use. */
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

/**
 * Port range for servers. Outgoing connections get ports above this range; otherwise one of them could take the port of
 * a restarting server.
 */
const LISTEN = { from: 10_000, below: 32_000 }
/**
 * Number of test files that Vitest runs in parallel (vitest.config.ts). Each file has its own port range, because an
 * assigned port is not open yet and would look free to the others.
 */
const LANES = 8
const assignedPorts = new Set<number>()

/** Returns a free port whose next two ports are free as well, and that this process has not assigned before. */
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
