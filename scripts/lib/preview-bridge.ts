import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { checkBridgeFiles } from './cameras.ts'
import { SupervisedProcess } from './supervised-process.ts'
import { createBridgeOptions } from './process-options.ts'
import { loadBridgeKey, prepareProvider } from './provider-admin.ts'
import { StopError } from './stop.ts'

/** Number of virtual cameras in the demo owner's home. The free demo home always has one. */
const VIRTUAL_CAMERA_COUNT = 2
/**
 * Bridge id of a preview, the same on every machine. If several machines run the bridge, the last one to connect takes
 * over the cameras.
 */
const BRIDGE_ID = 'br_preview'

const secretsSchema = v.pipe(v.string(), v.parseJson(), v.object({ ADMIN_KEY: v.string() }))

/**
 * Reads the operator's key from the secrets file that the upload of the preview wrote (scripts/lib/wrangler-config.ts).
 * Throws a `StopError` if the file is missing.
 */
export function readPreviewOperator(file: string, providerOrigin: string) {
  if (!existsSync(file))
    throw new StopError(
      "This preview wasn't uploaded from this computer, so this computer can't connect a hub to it. Run npm run preview first.",
    )
  const { ADMIN_KEY } = v.parse(secretsSchema, readFileSync(file, 'utf8'))
  return { PROVIDER_ORIGIN: providerOrigin, ADMIN_KEY, DEMO: '1' }
}

/**
 * Enrolls a bridge at a provider with demo homes and runs the bridge with virtual cameras. Resolves when the bridge is
 * connected. Returns a function that stops the bridge. Throws a `StopError` if the enrollment or the start fails.
 */
export async function startBridge(
  root: string,
  data: string,
  env: ReturnType<typeof readPreviewOperator>,
  printLine: (line: string) => void,
): Promise<() => Promise<void>> {
  mkdirSync(join(data, 'logs'), { recursive: true, mode: 0o700 })
  if (!(await enrollBridge(data, env, printLine))) throw new StopError("The provider didn't register the hub.")
  checkBridgeFiles(root, data)
  const bridge = new SupervisedProcess(
    createBridgeOptions({
      root,
      data,
      env,
      options: { virtual: VIRTUAL_CAMERA_COUNT },
      run: { recordProcess: () => {} },
      say: printLine,
    }),
  )
  try {
    await bridge.start()
  } catch (error) {
    await bridge.stop()
    throw new StopError(error instanceof Error ? error.message : String(error))
  }
  return () => bridge.stop()
}

/**
 * Enrolls a bridge at the preview, and returns true on success. If an owner has removed this bridge in the portal,
 * deletes its key and enrolls a bridge with a new identity.
 */
async function enrollBridge(
  data: string,
  env: ReturnType<typeof readPreviewOperator>,
  printLine: (line: string) => void,
): Promise<boolean> {
  const reportFailures = (failed: readonly string[]) =>
    printLine(`These demo accounts aren't fully set up: ${failed.join(', ')}.`)
  const first = await prepareProvider(env, loadBridgeKey(data, BRIDGE_ID), reportFailures)
  if (first.enrolled) return true
  rmSync(join(data, 'bridge.key'))
  return (await prepareProvider(env, loadBridgeKey(data), reportFailures)).enrolled
}
