import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, vi } from 'vitest'
import { scaleTimeout } from './machine.ts'

const root = new URL('../..', import.meta.url).pathname

/** Timeout for a start of Porchlight, or a restart of one process, on two busy cores. It is not a performance limit. */
export const START_WAIT_OPTIONS = { timeout: scaleTimeout(220_000), interval: 200 }

export interface Porchlight {
  readonly child: ChildProcess
  readonly lines: readonly string[]
}

/**
 * Starts `scripts/start.mjs` with `args` and does not wait until Porchlight is ready. `env` extends its environment.
 * `prefix`: program with arguments that runs the command, for example in a network namespace.
 */
export function launchPorchlight(
  dataFolder: string,
  port: number,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  prefix: readonly string[] = [],
): Porchlight {
  const command = ['node', 'scripts/start.mjs', '--port', String(port), '--data', dataFolder, ...args]
  const [program = '', ...programArguments] = [...prefix, ...command]
  const child = spawn(program, programArguments, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return collectOutput(child)
}

/** Collects the lines that a process prints. */
export function collectOutput(child: ChildProcessByStdio<null, Readable, Readable>): Porchlight {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  return { child, lines }
}

export async function startPorchlight(
  dataFolder: string,
  port: number,
  args: readonly string[] = [],
): Promise<Porchlight> {
  const run = launchPorchlight(dataFolder, port, args)
  await waitForOutput(run, 'Porchlight is ready')
  return run
}

export async function waitForOutput({ lines }: Porchlight, text: string, times = 1): Promise<void> {
  await vi.waitFor(
    () => expect(lines.filter((line) => line.includes(text)).length).toBeGreaterThanOrEqual(times),
    START_WAIT_OPTIONS,
  )
}

export async function stopPorchlight({ child }: Porchlight): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

export function readRunRecord(dataFolder: string): {
  supervisor: { pid: number }
  parts: Record<string, { pid: number }>
} {
  return JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as ReturnType<typeof readRunRecord>
}
