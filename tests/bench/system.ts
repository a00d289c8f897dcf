import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '../../scripts/lib/ports.ts'

export interface System {
  readonly origin: string
  /** Seconds from the start command to the output line that reports that the system is ready. */
  readonly startSeconds: number
  /** Returns the CPU seconds that the running processes of the system have used so far. NaN except on Linux. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Starts Porchlight as `npm start` does and waits until it is ready. `port`: the portal's port; default: any free. */
export async function startSystem(
  root: string,
  dataFolder: string,
  args: readonly string[],
  port?: number,
): Promise<System> {
  port ??= await findFreePort()
  const started = performance.now()
  const child = spawn('node', ['scripts/start.mjs', '--port', String(port), '--data', dataFolder, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('Porchlight is ready') && resolve())
    child.once('exit', (code) => reject(new Error(`npm start exited with code ${code}.`)))
  })
  return {
    origin: `http://localhost:${port}`,
    startSeconds: (performance.now() - started) / 1000,
    cpuSeconds: () => sumCpuSeconds(dataFolder),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.removeAllListeners('exit')
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const TICKS_PER_SECOND = 100

/** Sums the CPU seconds of all running processes in the process groups that run.json lists (user and system time). */
function sumCpuSeconds(dataFolder: string): number {
  if (process.platform !== 'linux') return Number.NaN
  const run = JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  const groups = new Set(Object.values(run.parts).map((part) => part.pid))
  const ticks = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => readTicks(pid, groups))
  return ticks.reduce((sum, value) => sum + value, 0) / TICKS_PER_SECOND
}

function readTicks(pid: string, groups: ReadonlySet<number>): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [group = 0, user = 0, system = 0] = [fields[2], fields[11], fields[12]]
    return groups.has(group) ? user + system : 0
  } catch {
    return 0
  }
}
