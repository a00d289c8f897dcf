import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { formatCommand } from './command.ts'
import { StopError } from './stop.ts'

/**
 * Throws `StopError` if the port is in use on `host`. `requestedPort`: value of `--port`, for the advice in the message.
 */
export async function requireFreePort(port: number, requestedPort: number, host = LOOPBACK_ADDRESS): Promise<void> {
  if (await isPortFree(port, host)) return
  throw new StopError(
    `Port ${port} is already in use. Stop the program that uses it, or start with another port: ${formatCommand('start')} --port ${requestedPort + 100}`,
  )
}

const LOOPBACK_ADDRESS = '127.0.0.1'

function isPortFree(port: number, host = LOOPBACK_ADDRESS): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/**
 * Port range for servers, below the ports of outgoing connections. Otherwise, a connection could take the port of a
 * restarting server.
 */
const SERVER_PORT_RANGE = { from: 10_000, below: 32_000 }
/**
 * Number of port ranges, at least the number of parallel Vitest workers (vitest.config.ts). Each worker has its own
 * range. Otherwise, two workers could choose the same port before either opens it.
 */
const PARALLEL_FILES = 8
const assignedPorts = new Set<number>()

/** Returns the first of three consecutive free ports. This process has assigned none of the three ports before. */
export async function findFreePort(): Promise<number> {
  const { from, below } = getPortRange(process.env['VITEST_POOL_ID'])
  for (;;) {
    const port = randomInt(from, below - 2)
    const three = [port, port + 1, port + 2]
    if (three.some((candidate) => assignedPorts.has(candidate))) continue
    for (const candidate of three) assignedPorts.add(candidate)
    const free = await Promise.all(three.map((candidate) => isPortFree(candidate)))
    if (free.every(Boolean)) return port
  }
}

function getPortRange(pool: string | undefined): typeof SERVER_PORT_RANGE {
  if (pool === undefined) return SERVER_PORT_RANGE
  const width = Math.floor((SERVER_PORT_RANGE.below - SERVER_PORT_RANGE.from) / PARALLEL_FILES)
  const from = SERVER_PORT_RANGE.from + (Number(pool) % PARALLEL_FILES) * width
  return { from, below: from + width }
}
