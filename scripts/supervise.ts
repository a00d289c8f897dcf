/**
 * Supervisor of `npm start`: builds the pages and the Workers and migrates the database. Then starts provider, bridge,
 * portal and, with `SMTP_URL`, the mailer, and keeps them running. With demo accounts, also creates demo data.
 */
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMO_PASSWORD } from '../contract/operator/operator-calls.ts'
import { DEMO_ACCOUNTS, DEMO_PLAN_STATE_ACCOUNTS } from '../contract/operator/demo-accounts.ts'
import { HELP, parseOptions, type StartOptions } from './lib/args.ts'
import { settleInterruptedRestore } from './lib/backup/swap-folders.ts'
import { deleteStagingLeftovers } from './lib/backup/staging-folder.ts'
import { changeCameras, checkBridgeFiles } from './lib/cameras.ts'
import { runCommand } from './lib/command.ts'
import { describeDamage } from './lib/damaged-files.ts'
import { countAccounts, createDataFolder, emptyDataFolder, rejectDemoAccounts } from './lib/data-folder.ts'
import { requireSupportedData, writeDataVersion } from './lib/data-version.ts'
import { describeLan, prepareLan, watchServerCertificate } from './lib/lan/lan-run.ts'
import { findIssuerProblem } from './lib/issuer-check.ts'
import { prepareDatabase } from './lib/data-template.ts'
import { prepareBuild } from './lib/package-layout.ts'
import { SupervisedProcess } from './lib/supervised-process.ts'
import {
  createBridgeOptions,
  createMailerOptions,
  createPortalOptions,
  createProviderOptions,
  type RunContext,
} from './lib/process-options.ts'
import { requireFreePort } from './lib/ports.ts'
import { loadBridgeKey, prepareProvider } from './lib/provider-admin.ts'
import { RunFile } from './lib/run-file.ts'
import { loadSecrets, writeEnvironment } from './lib/secrets-file.ts'
import { isLoopback, makeEnvironment } from './lib/secrets.ts'
import { continueBillingAfterRestore } from './lib/settle-ledgers.ts'
import { makeSite } from './lib/site.ts'
import { canSell, explainNoSales } from './lib/selling.ts'
import { parseSmtpUrl } from './lib/smtp-options.ts'
import { StopError } from './lib/stop.ts'

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const printLine = (line: string) => console.log(line)

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') return printLine(HELP)
  const startContext = await prepareRun(options)
  const processes = [
    new SupervisedProcess(createProviderOptions(startContext)),
    new SupervisedProcess(createBridgeOptions(startContext)),
    new SupervisedProcess(createPortalOptions(startContext)),
  ] as const
  const [provider, bridge, portal] = processes
  const mailer = startContext.env.SMTP_URL ? new SupervisedProcess(createMailerOptions(startContext)) : null
  const stop = installStopHandler([...processes, ...(mailer ? [mailer] : [])], startContext.run)
  let setupCode: string | null = null
  try {
    await provider.start()
    const setup = await prepareProvider(startContext.env, startContext.bridgeKey, (failed) =>
      printLine(describeFailedAccounts(startContext.data, failed)),
    )
    setupCode = setup.setupCode
    await continueBillingAfterRestore(startContext.data, startContext.env, printLine)
    if (setup.enrolled) await bridge.start()
    else printLine(describeRemovedBridge(startContext.data))
    await mailer?.start()
    await portal.start()
  } catch (error) {
    await stop(1, describeFailure(error, startContext.data))
  }
  if (startContext.lan) watchServerCertificate(startContext.data, startContext.lan, printLine)
  await announceStart(startContext, setupCode)
  const problem = await findIssuerProblem(startContext.env)
  if (problem !== null) printLine(problem)
}

/**
 * Returns the reason why the start failed. Checks for damaged storage first, because the processes cannot detect it.
 */
function describeFailure(error: unknown, data: string): string {
  const damage = describeDamage(data)
  if (damage === undefined && error instanceof StopError) return error.message
  return `Porchlight couldn't start. ${damage ?? String(error instanceof Error ? error.message : error)}`
}

function describeFailedAccounts(data: string, failed: readonly string[]): string {
  const reason = describeDamage(data) ?? `See ${join(data, 'logs', 'provider.log')}.`
  return `These demo accounts aren't fully set up: ${failed.join(', ')}. ${reason}`
}

/** Throws a `StopError` if the environment sets an origin, because `--lan` derives all origins from one host. */
function rejectOriginSettings(environment: NodeJS.ProcessEnv): void {
  const name = ['PORTAL_ORIGIN', 'PROVIDER_ORIGIN', 'PAYMENT_ORIGIN'].find((setting) => environment[setting])
  if (name !== undefined)
    throw new StopError(`--lan sets the origins. Remove ${name}, or start without --lan behind your own proxy.`)
}

async function prepareRun(options: StartOptions): Promise<RunContext> {
  const data = resolve(options.data)
  if (options.lan) rejectOriginSettings(process.env)
  const settled = settleInterruptedRestore(data)
  if (settled !== null) printLine(settled)
  requireSupportedData(data)
  createDataFolder(data)
  const run = await RunFile.claim(data, process.env['PORTAL_ORIGIN'] ?? `http://localhost:${options.port}`, root)
  for (const port of [options.port, options.port + 1, options.port + 2]) await requireFreePort(port, options.port)
  if (options.fresh) emptyDataFolder(data)
  await deleteStagingLeftovers(data)
  writeDataVersion(data)
  if (options.lan) rejectDemoAccounts(data)
  const lan = options.lan && (await prepareLan(data, options.port, options.lan))
  const secrets = loadSecrets(data, printLine)
  const bridgeKey = loadBridgeKey(data)
  checkBridgeFiles(root, data)
  const buildId = prepareBuild(root, printLine)
  const internalProviderOrigin = `http://127.0.0.1:${options.port + 1}`
  // A folder with only the owner's accounts never gets demo accounts, which are public.
  const { demo, own } = countAccounts(data)
  const env = makeEnvironment(secrets, {
    portalOrigin: lan?.portalOrigin ?? process.env['PORTAL_ORIGIN'] ?? `http://localhost:${options.port}`,
    providerOrigin: lan?.providerOrigin ?? process.env['PROVIDER_ORIGIN'] ?? internalProviderOrigin,
    internalProviderOrigin,
    buildId,
    ...(demo === 0 && own > 0 ? { isDemo: false } : {}),
    isLan: lan !== null,
    overrides: process.env,
  })
  if (env.SMTP_URL) parseSmtpUrl(env.SMTP_URL)
  const envFile = writeEnvironment(data, env)
  makeSite(join(root, 'dist/client'), join(data, 'site'), env)
  prepareDatabase(root, data)
  changeCameras(root, data, options, printLine)
  return { root, data, env, envFile, run, bridgeKey, options, lan, say: printLine }
}

/**
 * Returns a function that stops all processes and exits. Signals and the exit of the parent process also call the
 * function. A repeated call exits immediately, without waiting for the processes to stop.
 */
function installStopHandler(processes: readonly SupervisedProcess[], run: RunFile) {
  let isStopping = false
  const stop = async (code: number, sentence: string): Promise<never> => {
    if (!isStopping) {
      isStopping = true
      printLine(sentence)
      await Promise.all([...processes].reverse().map((part) => part.stop()))
      run.release()
    }
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, 'Stopping…'))
  process.on('disconnect', () => void stop(0, 'Stopping…'))
  return stop
}

/**
 * Tells the user how to use a removed bridge again. The supervisor does not start such a bridge, because its key may
 * have been stolen.
 */
function describeRemovedBridge(data: string): string {
  return `This computer's hub was removed in the portal, so it wasn't started. To use this hub again, delete ${join(data, 'bridge.key')} and restart Porchlight. The hub will get a new key.`
}

async function announceStart({ env, lan }: RunContext, setupCode: string | null): Promise<void> {
  printLine(`\nPorchlight is ready: ${env.PORTAL_ORIGIN}`)
  if (lan) for (const line of await describeLan(lan)) printLine(line)
  if (env.DEMO === '1') {
    for (const account of DEMO_ACCOUNTS)
      printLine(`  ${account.email.padEnd(20)} ${DEMO_PASSWORD}   (${account.label})`)
    printLine(
      `  Accounts with other plans and states: ${DEMO_PLAN_STATE_ACCOUNTS.map(({ email }) => email.split('@')[0]).join(', ')} (see docs/billing.md)`,
    )
  }
  printLine(describeMail(env))
  if (setupCode !== null) printLine(`  Create the first account at the URL above. Setup code: ${setupCode}`)
  // At home, all cameras have a plan without a purchase.
  if (!canSell(env) && (env.BILLING_GATEWAY || !env.HOME_PLAN)) printLine(explainNoSales(env))
  if (!lan && env.DEMO !== '1' && !isLoopback(env.PORTAL_ORIGIN) && env.TRUST_PROXY !== '1')
    printLine(
      '  All visitors share one rate limit. If your proxy sets CF-Connecting-IP, start Porchlight with TRUST_PROXY=1.',
    )
  printLine('Stop with Ctrl-C.')
}

function describeMail(env: RunContext['env']): string {
  if (env.MAIL_API_URL) return `  Email is sent through ${new URL(env.MAIL_API_URL).host}`
  if (env.SMTP_URL) return `  Email is sent through ${new URL(env.SMTP_URL).host}`
  if (env.DEMO === '1') return `  Email stays on this computer: ${env.PROVIDER_ORIGIN}/mail`
  return '  Email is off. To turn it on, set SMTP_URL (see docs/operations.md, Mail).'
}

await runCommand(main)
