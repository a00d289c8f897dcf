import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, vi } from 'vitest'
import { scaled } from './machine.ts'

const root = new URL('../..', import.meta.url).pathname

/** How long the whole of Porchlight may take to start, or a part of it to come back, on two busy cores: no test is about that time. */
export const PATIENCE = { timeout: scaled(220_000), interval: 200 }

/** A `npm start` of a test's own: what it printed, and how to end it. */
export interface Porchlight {
  readonly child: ChildProcess
  readonly lines: readonly string[]
}

/** Runs `npm start -- args` without waiting for anything; `env` is added to its environment. */
export function launch(
  data: string,
  port: number,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Porchlight {
  const child = spawn('node', ['scripts/start.mjs', '--port', String(port), '--data', data, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  return { child, lines }
}

/** The same, and resolves when it says that it is ready. */
export async function startPorchlight(data: string, port: number, args: readonly string[] = []): Promise<Porchlight> {
  const run = launch(data, port, args)
  await waitForOutput(run, 'Porchlight is ready')
  return run
}

/** Resolves when the terminal has shown the text `times` times. */
export async function waitForOutput({ lines }: Porchlight, text: string, times = 1): Promise<void> {
  await vi.waitFor(
    () => expect(lines.filter((line) => line.includes(text)).length).toBeGreaterThanOrEqual(times),
    PATIENCE,
  )
}

export async function stopPorchlight({ child }: Porchlight): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** The processes that the data folder's `run.json` names. */
export function runRecord(data: string): { supervisor: { pid: number }; parts: Record<string, { pid: number }> } {
  return JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as ReturnType<typeof runRecord>
}
