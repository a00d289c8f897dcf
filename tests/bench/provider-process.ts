import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { parseOptions, type StartOptions } from '../../scripts/lib/args.ts'
import type { RunFile } from '../../scripts/lib/run-file.ts'
import { layGround, layTables } from '../../scripts/lib/ground.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { providerPart } from '../../scripts/lib/parts.ts'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'
import { writeEnvironment } from '../../scripts/lib/secrets-file.ts'

const START_MS = 60_000

/** The provider as `npm start` runs it, in its own process group, so that it can be killed. */
export interface ProviderProcess {
  readonly env: RunEnvironment
  seed(): Promise<void>
  /** Kills the provider without warning; resolves when it has exited. */
  kill(): Promise<void>
  /** Resolves when the provider responds. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function openProviderProcess(root: string, data: string): Promise<ProviderProcess> {
  const port = await anyFreePort()
  for (const name of ['state', 'logs']) mkdirSync(join(data, name), { recursive: true })
  const env = makeEnvironment(makeSecrets(), {
    portalOrigin: `http://localhost:${port - 1}`,
    providerOrigin: `http://127.0.0.1:${port}`,
    buildId: 'bench',
  })
  layGround(root)
  layTables(root, data)
  const part = providerPart({
    ...{ root, data, env, envFile: writeEnvironment(data, env), say: console.log },
    run: { set: () => undefined } as unknown as RunFile,
    bridgeKey: { bridge_id: 'bridge_bench', key: '' },
    options: { ...(parseOptions([]) as StartOptions), port: port - 1, data },
  })
  let child: ChildProcess | undefined
  const kill = async () => {
    const dying = child
    child = undefined
    if (dying?.pid === undefined) return
    const exitEvent = once(dying, 'exit')
    process.kill(-dying.pid, 'SIGKILL')
    await exitEvent
  }
  const start = async () => {
    const log = openSync(part.logFile, 'a')
    const stdio: StdioOptions = ['ignore', log, log]
    child = spawn(part.command, part.args, { cwd: part.cwd, env: part.env, detached: true, stdio })
    closeSync(log)
    for (const end = performance.now() + START_MS; (await part.probe(2000)) !== 'answers'; await sleep(100))
      if (performance.now() > end) throw new Error(`The provider does not answer. See ${part.logFile}.`)
  }
  await start()
  return {
    env,
    async seed() {
      await callOperator(env, 'POST', ADMIN_PATHS.seed)
    },
    ...{ kill, start, close: kill },
  }
}
