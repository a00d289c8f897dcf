/** The supervisor behind `npm start`: builds, migrates, seeds, starts portal, provider and bridge, and keeps them running. */
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMO_PASSWORD } from '../contract/operator/operator-calls.ts'
import { DEMO_ACCOUNTS, DEMO_STATES } from '../contract/operator/demo-accounts.ts'
import { HELP, parseOptions, type StartOptions } from './lib/args.ts'
import { buildPages } from './lib/build.ts'
import { changeCameras, checkBridgeFiles } from './lib/cameras.ts'
import { runCommand } from './lib/command.ts'
import { damageIn } from './lib/damaged-files.ts'
import { emptyFolder, makeFolder } from './lib/data-folder.ts'
import { issuerProblem } from './lib/issuer-check.ts'
import { layGround, layTables } from './lib/ground.ts'
import { SupervisedProcess } from './lib/part.ts'
import { bridgePart, mailerPart, portalPart, providerPart, type Ground } from './lib/parts.ts'
import { requireFree } from './lib/ports.ts'
import { loadBridgeKey, prepareProvider } from './lib/provider-admin.ts'
import { RunFile } from './lib/run-file.ts'
import { loadSecrets, writeEnvironment } from './lib/secrets-file.ts'
import { makeEnvironment } from './lib/secrets.ts'
import { makeSite } from './lib/site.ts'
import { sells, sellsNothing } from './lib/selling.ts'
import { smtpOptions } from './lib/smtp-options.ts'
import { Stop } from './lib/stop.ts'
import { buildWorkers } from './lib/workers.ts'

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const printLine = (line: string) => console.log(line)

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') return printLine(HELP)
  const ground = await prepare(options)
  const parts = [
    new SupervisedProcess(providerPart(ground)),
    new SupervisedProcess(bridgePart(ground)),
    new SupervisedProcess(portalPart(ground)),
  ] as const
  const [provider, bridge, portal] = parts
  const mailer = ground.env.SMTP_URL ? new SupervisedProcess(mailerPart(ground)) : null
  const stop = stopper([...parts, ...(mailer ? [mailer] : [])], ground.run)
  let setupCode: string | null = null
  try {
    await provider.start()
    const prepared = await prepareProvider(ground.env, ground.bridgeKey, (failed) =>
      printLine(unseeded(ground.data, failed)),
    )
    setupCode = prepared.setupCode
    if (prepared.enrolled) await bridge.start()
    else printLine(removedBridge(ground.data))
    await mailer?.start()
    await portal.start()
  } catch (error) {
    await stop(1, describeFailure(error, ground.data))
  }
  announce(ground, setupCode)
  const problem = await issuerProblem(ground.env)
  if (problem !== null) printLine(problem)
}

/** Returns why the start failed. Damaged storage comes first: the processes cannot detect it. */
function describeFailure(error: unknown, data: string): string {
  const damage = damageIn(data)
  if (damage === undefined && error instanceof Stop) return error.message
  return `Porchlight could not start. ${damage ?? String(error instanceof Error ? error.message : error)}`
}

function unseeded(data: string, failed: readonly string[]): string {
  const reason = damageIn(data) ?? `See ${join(data, 'logs', 'provider.log')}.`
  return `These demo accounts do not work: ${failed.join(', ')}. ${reason}`
}

async function prepare(options: StartOptions): Promise<Ground> {
  const data = resolve(options.data)
  const portalOrigin = process.env['PORTAL_ORIGIN'] ?? `http://localhost:${options.port}`
  makeFolder(data)
  const run = await RunFile.claim(data, portalOrigin, root)
  for (const port of [options.port, options.port + 1, options.port + 2]) await requireFree(port, options.port)
  if (options.fresh) emptyFolder(data)
  const secrets = loadSecrets(data, printLine)
  const bridgeKey = loadBridgeKey(data)
  checkBridgeFiles(root, data)
  const buildId = buildPages(root, printLine)
  const env = makeEnvironment(secrets, {
    portalOrigin,
    providerOrigin: process.env['PROVIDER_ORIGIN'] ?? `http://127.0.0.1:${options.port + 1}`,
    buildId,
    overrides: process.env,
  })
  if (env.SMTP_URL) smtpOptions(env.SMTP_URL)
  const envFile = writeEnvironment(data, env)
  makeSite(join(root, 'dist/client'), join(data, 'site'), env)
  buildWorkers(root, printLine)
  layGround(root)
  layTables(root, data)
  changeCameras(root, data, options, printLine)
  return { root, data, env, envFile, run, bridgeKey, options, say: printLine }
}

/** Stops all processes once, in reverse order, on Ctrl-C, on SIGTERM, when the parent dies and when the start fails. */
function stopper(parts: readonly SupervisedProcess[], run: RunFile) {
  let stopping = false
  const stop = async (code: number, sentence: string): Promise<never> => {
    if (!stopping) {
      stopping = true
      printLine(sentence)
      await Promise.all([...parts].reverse().map((part) => part.stop()))
      run.release()
    }
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, 'Stopping ...'))
  process.on('disconnect', () => void stop(0, 'Stopping ...'))
  return stop
}

/** A removed bridge stays removed: its key may have been stolen. */
function removedBridge(data: string): string {
  return `The bridge of this computer was removed in the portal, so it is not started. To use it again, delete ${join(data, 'bridge.key')} and start again: it gets a new key.`
}

function announce({ env }: Ground, setupCode: string | null): void {
  printLine(`\nPorchlight is ready: ${env.PORTAL_ORIGIN}`)
  if (env.DEMO === '1') {
    for (const account of DEMO_ACCOUNTS)
      printLine(`  ${account.email.padEnd(20)} ${DEMO_PASSWORD}   (${account.label})`)
    printLine(
      `  Other plans and states: ${DEMO_STATES.map(({ email }) => email.split('@')[0]).join(', ')} (docs/billing.md)`,
    )
  }
  printLine(describeMail(env))
  if (setupCode !== null) printLine(`  Open it and create the first account with the setup code ${setupCode}`)
  if (!sells(env)) printLine(sellsNothing(env))
  if (env.DEMO !== '1' && env.TRUST_PROXY !== '1')
    printLine('  All visitors share one rate limit: let the proxy set CF-Connecting-IP, and start with TRUST_PROXY=1.')
  printLine('Stop with Ctrl-C.')
}

function describeMail(env: Ground['env']): string {
  if (env.MAIL_API_URL) return `  Mails are posted to ${new URL(env.MAIL_API_URL).host}`
  if (env.SMTP_URL) return `  Mails go to ${new URL(env.SMTP_URL).host}`
  if (env.DEMO === '1') return `  Mails are kept on this machine: ${env.PROVIDER_ORIGIN}/mail`
  return '  No mail is sent: set SMTP_URL (docs/operations.md, Mail).'
}

await runCommand(main)
