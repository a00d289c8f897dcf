import { join } from 'node:path'
import * as v from 'valibot'
import { id } from '../../contract/wire/envelope.ts'
import { readSettingsFile } from '../runtime/durable-files.ts'

const keyFileSchema = v.object({ bridge_id: id, key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}=?$/)) })

export interface BridgeIdentity {
  readonly bridgeId: string
  /** Secret key that signs the bridge's requests, 32 bytes. */
  readonly key: Buffer
}

/** Reads the identity from `DATA/bridge.key`. Throws a user-facing Error if the file is missing or damaged. */
export async function readIdentity(data: string): Promise<BridgeIdentity> {
  const path = join(data, 'bridge.key')
  const text = await readSettingsFile(path).catch(() => {
    throw new Error(
      `${path} is missing or can't be read. If it's missing, connect this hub with a code from the portal (docs/cameras.md).`,
    )
  })
  try {
    const file = v.parse(keyFileSchema, JSON.parse(text))
    return { bridgeId: file.bridge_id, key: Buffer.from(file.key, 'base64url') }
  } catch {
    throw new Error(
      `${path} is damaged. Delete it and connect this hub again with a code from the portal (docs/cameras.md).`,
    )
  }
}
