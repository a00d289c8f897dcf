import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseOptions, type StartOptions } from '../../scripts/lib/args.ts'
import type { ProcessOptions } from '../../scripts/lib/supervised-process.ts'
import { createPortalOptions, createProviderOptions, type RunContext } from '../../scripts/lib/process-options.ts'
import { findFreePort } from '../../scripts/lib/ports.ts'
import type { RunFile } from '../../scripts/lib/run-file.ts'
import { writeEnvironment } from '../../scripts/lib/secrets-file.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'
import { makeSite } from '../../scripts/lib/site.ts'
import { copyWorkerState, projectRoot } from '../support/ground.ts'

const START_TIMEOUT_MS = 60_000
export const SHOP_PROCESSES = ['portal', 'provider'] as const
export type ShopProcess = (typeof SHOP_PROCESSES)[number]

/** Portal and provider as `npm start` runs them. Each has its own process group, so that it can be killed. */
export interface ShopSystem {
  readonly env: RunEnvironment
  /** Sends SIGKILL to these processes and restarts them. Resolves when they respond. */
  killAndRestart(parts: readonly ShopProcess[]): Promise<void>
  close(): Promise<void>
}

/** Starts the portal and the provider. Call `prepareBaseData` first, because it builds them. */
export async function startShopSystem(dataFolder: string): Promise<ShopSystem> {
  const port = await findFreePort()
  for (const name of ['state', 'logs']) mkdirSync(join(dataFolder, name), { recursive: true })
  const env = makeEnvironment(makeSecrets(), {
    portalOrigin: `http://localhost:${port}`,
    providerOrigin: `http://127.0.0.1:${port + 1}`,
    buildId: 'bench',
  })
  for (const name of SHOP_PROCESSES) copyWorkerState(name, join(dataFolder, 'state', name, 'v3'))
  makeSite(join(projectRoot, 'dist/client'), join(dataFolder, 'site'), env)
  const runContext: RunContext = {
    root: projectRoot,
    data: dataFolder,
    env,
    envFile: writeEnvironment(dataFolder, env),
    say: console.error,
    run: { recordProcess: () => undefined } as unknown as RunFile,
    bridgeKey: { bridge_id: 'bridge_bench', key: '' },
    lan: null,
    options: { ...(parseOptions([]) as StartOptions), port, data: dataFolder },
  }
  const parts = {
    portal: createProcess(createPortalOptions(runContext)),
    provider: createProcess(createProviderOptions(runContext)),
  }
  const runOnAll = (names: readonly ShopProcess[], action: 'kill' | 'start') =>
    Promise.all(names.map((name) => parts[name][action]()))
  try {
    await runOnAll(SHOP_PROCESSES, 'start')
  } catch (error) {
    await runOnAll(SHOP_PROCESSES, 'kill')
    throw error
  }
  return {
    env,
    async killAndRestart(names) {
      await runOnAll(names, 'kill')
      await runOnAll(names, 'start')
    },
    async close() {
      await runOnAll(SHOP_PROCESSES, 'kill')
    },
  }
}

function createProcess(part: ProcessOptions) {
  let child: ChildProcess | undefined
  return {
    async kill() {
      const exitingChild = child
      child = undefined
      if (exitingChild?.pid === undefined) return
      const exited = once(exitingChild, 'exit')
      process.kill(-exitingChild.pid, 'SIGKILL')
      await exited
    },
    async start() {
      const log = openSync(part.logFile, 'a')
      const stdio: StdioOptions = ['ignore', log, log]
      child = spawn(part.command, part.args, { cwd: part.cwd, env: part.env, detached: true, stdio })
      closeSync(log)
      for (const end = performance.now() + START_TIMEOUT_MS; (await part.probe(2000)) !== 'answers'; await sleep(50))
        if (performance.now() > end) throw new Error(`The ${part.name} does not respond. See ${part.logFile}.`)
    },
  }
}
