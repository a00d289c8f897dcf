import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, vi } from 'vitest'
import { scaled } from './machine.ts'

const root = new URL('../..', import.meta.url).pathname

/**
 * Timeout for a start of Porchlight, or a restart of one process, on two busy cores. No test checks how fast they are.
 */
export const PATIENCE = { timeout: scaled(220_000), interval: 200 }

export interface Porchlight {
  readonly child: ChildProcess
  readonly lines: readonly string[]
}

/** Runs `npm start -- args` and does not wait; `env` is added to its environment. */
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

export async function startPorchlight(data: string, port: number, args: readonly string[] = []): Promise<Porchlight> {
  const run = launch(data, port, args)
  await waitForOutput(run, 'Porchlight is ready')
  return run
}

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

export function runRecord(data: string): { supervisor: { pid: number }; parts: Record<string, { pid: number }> } {
  return JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as ReturnType<typeof runRecord>
}
