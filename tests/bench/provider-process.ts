import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { parseOptions, type StartOptions } from '../../scripts/lib/args.ts'
import type { RunFile } from '../../scripts/lib/run-file.ts'
import { buildTemplate, prepareDatabase } from '../../scripts/lib/data-template.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { createProviderOptions } from '../../scripts/lib/process-options.ts'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { makeEnvironment, makeSecrets, type RunEnvironment } from '../../scripts/lib/secrets.ts'
import { writeEnvironment } from '../../scripts/lib/secrets-file.ts'

const START_TIMEOUT_MS = 60_000

/** The provider as `npm start` runs it. It has its own process group, so that all its processes can be killed. */
export interface ProviderProcess {
  readonly env: RunEnvironment
  seed(): Promise<void>
  /** Sends SIGKILL to the provider. Resolves when it has exited. */
  kill(): Promise<void>
  /** Resolves when the provider responds. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function openProviderProcess(root: string, dataFolder: string): Promise<ProviderProcess> {
  const port = await findFreePort()
  for (const name of ['state', 'logs']) mkdirSync(join(dataFolder, name), { recursive: true })
  const env = makeEnvironment(makeSecrets(), {
    portalOrigin: `http://localhost:${port - 1}`,
    providerOrigin: `http://127.0.0.1:${port}`,
    buildId: 'bench',
  })
  buildTemplate(root)
  prepareDatabase(root, dataFolder)
  const part = createProviderOptions({
    root,
    data: dataFolder,
    env,
    envFile: writeEnvironment(dataFolder, env),
    say: console.log,
    run: { recordProcess: () => undefined } as unknown as RunFile,
    bridgeKey: { bridge_id: 'bridge_bench', key: '' },
    lan: null,
    options: { ...(parseOptions([]) as StartOptions), port: port - 1, data: dataFolder },
  })
  let child: ChildProcess | undefined
  const kill = async () => {
    const exitingChild = child
    child = undefined
    if (exitingChild?.pid === undefined) return
    const exited = once(exitingChild, 'exit')
    process.kill(-exitingChild.pid, 'SIGKILL')
    await exited
  }
  const start = async () => {
    const log = openSync(part.logFile, 'a')
    const stdio: StdioOptions = ['ignore', log, log]
    child = spawn(part.command, part.args, { cwd: part.cwd, env: part.env, detached: true, stdio })
    closeSync(log)
    for (const end = performance.now() + START_TIMEOUT_MS; (await part.probe(2000)) !== 'answers'; await sleep(100))
      if (performance.now() > end) throw new Error(`The provider does not respond. See ${part.logFile}.`)
  }
  await start()
  return {
    env,
    async seed() {
      await callOperator(env, 'POST', ADMIN_PATHS.seed)
    },
    kill,
    start,
    close: kill,
  }
}
