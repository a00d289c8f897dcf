import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { readText } from '../../contract/wire/body-limits.ts'
import { BRIDGE_PATHS, enrollResponse } from '../../contract/bridge/bridge-protocol.ts'
import { exists, writeFileDurably } from '../runtime/durable-files.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { getErrorMessage } from '../runtime/log.ts'

/**
 * Exchanges an enrollment code for an identity, and writes the identity to `DATA/bridge.key` (mode 0600). Returns the
 * bridge id. Throws a user-facing Error if the file exists, the provider is unreachable or it rejects the code.
 */
export async function enrollBridge(provider: string, data: string, code: string, name: string): Promise<string> {
  const path = join(data, 'bridge.key')
  if (await exists(path)) {
    throw new Error(`${path} exists, so a hub already uses this folder. Use another folder or delete that file.`)
  }
  await mkdir(data, { recursive: true, mode: 0o700 })
  const response = await postJson(new URL(BRIDGE_PATHS.enrol, provider), { code, name })
  if (!response.ok) throw new Error(explainRejection(response))
  const { bridge_id, key } = v.parse(enrollResponse, JSON.parse(await readText(response, READ_BYTES_MAX.answer))).data
  await writeFileDurably(path, `${JSON.stringify({ bridge_id, key })}\n`, 0o600)
  return bridge_id
}

async function postJson(url: URL, body: object): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(20_000),
    })
  } catch (error) {
    throw new Error(`${url.origin} can't be reached: ${getErrorMessage(error)}. Check the URL.`)
  }
}

function explainRejection(response: Response): string {
  if (response.status === 404)
    return 'The code is wrong, was already used, or is older than ten minutes. Get a new one in the portal.'
  if (response.status === 429)
    return `Too many wrong codes. Wait ${response.headers.get('retry-after') ?? '60'} seconds and try again.`
  return `The provider didn't accept the code (status ${response.status}). Check the code and try again.`
}
