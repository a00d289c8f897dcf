import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseOptions, type StartOptions } from '../../scripts/lib/args.ts'
import type { PartOptions } from '../../scripts/lib/part.ts'
import { portalPart, providerPart, type Ground } from '../../scripts/lib/parts.ts'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import type { RunFile } from '../../scripts/lib/run-file.ts'
import { writeEnvironment } from '../../scripts/lib/secrets-file.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'
import { makeSite } from '../../scripts/lib/site.ts'
import { copyState, root } from '../support/ground.ts'

const START_MS = 60_000
export const SHOP_PARTS = ['portal', 'provider'] as const
export type ShopPart = (typeof SHOP_PARTS)[number]

/** Portal and provider as `npm start` runs them, each in its own process group, so that they can be killed. */
export interface ShopGround {
  readonly env: RunEnvironment
  /** Kills these parts without warning and restarts them; resolves when they respond. */
  killed(parts: readonly ShopPart[]): Promise<void>
  close(): Promise<void>
}

/** Starts portal and provider, which `layGround` has built. */
export async function openShopGround(data: string): Promise<ShopGround> {
  const port = await anyFreePort()
  for (const name of ['state', 'logs']) mkdirSync(join(data, name), { recursive: true })
  const env = makeEnvironment(makeSecrets(), {
    portalOrigin: `http://localhost:${port}`,
    providerOrigin: `http://127.0.0.1:${port + 1}`,
    buildId: 'bench',
  })
  for (const name of SHOP_PARTS) copyState(name, join(data, 'state', name, 'v3'))
  makeSite(join(root, 'dist/client'), join(data, 'site'), env)
  const ground: Ground = {
    ...{ root, data, env, envFile: writeEnvironment(data, env), say: console.error },
    run: { set: () => undefined } as unknown as RunFile,
    bridgeKey: { bridge_id: 'bridge_bench', key: '' },
    options: { ...(parseOptions([]) as StartOptions), port, data },
  }
  const parts = { portal: createProcess(portalPart(ground)), provider: createProcess(providerPart(ground)) }
  const each = (names: readonly ShopPart[], action: 'kill' | 'start') =>
    Promise.all(names.map((name) => parts[name][action]()))
  try {
    await each(SHOP_PARTS, 'start')
  } catch (error) {
    await each(SHOP_PARTS, 'kill')
    throw error
  }
  return {
    env,
    async killed(names) {
      await each(names, 'kill')
      await each(names, 'start')
    },
    async close() {
      await each(SHOP_PARTS, 'kill')
    },
  }
}

function createProcess(part: PartOptions) {
  let child: ChildProcess | undefined
  return {
    async kill() {
      const dying = child
      child = undefined
      if (dying?.pid === undefined) return
      const exitEvent = once(dying, 'exit')
      process.kill(-dying.pid, 'SIGKILL')
      await exitEvent
    },
    async start() {
      const log = openSync(part.logFile, 'a')
      const stdio: StdioOptions = ['ignore', log, log]
      child = spawn(part.command, part.args, { cwd: part.cwd, env: part.env, detached: true, stdio })
      closeSync(log)
      for (const end = performance.now() + START_MS; (await part.probe(2000)) !== 'answers'; await sleep(50))
        if (performance.now() > end) throw new Error(`The ${part.name} does not answer. See ${part.logFile}.`)
    },
  }
}
