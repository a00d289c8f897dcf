import type { UploadRequest } from '../../contract/bridge/bridge-protocol.ts'
import { ProviderError, type ProviderClient } from './provider-client.ts'

type ObjectRequest = UploadRequest['objects'][number]

export interface ObjectUpload {
  readonly kind: ObjectRequest['kind']
  readonly name: string
  readonly bytes: Buffer
  /** True if many events of a demo history share this object. */
  readonly shared?: boolean
}

const CONTENT_TYPES = { clip: 'video/mp4', thumb: 'image/jpeg', last: 'image/jpeg' } as const

/**
 * Uploads objects of a camera to the provider, except objects that the provider already has. Returns their `object`
 * names in the order of the input. Throws ProviderError if a request fails.
 */
export async function uploadObjects(
  client: ProviderClient,
  deviceId: string,
  uploads: readonly ObjectUpload[],
): Promise<string[]> {
  const objects = uploads.map(({ kind, name, bytes, shared }) => ({
    kind,
    name,
    type: CONTENT_TYPES[kind],
    length: bytes.length,
    ...(shared && { shared }),
  }))
  const grants = await client.requestGrants({ device_id: deviceId, objects })
  await Promise.all(
    uploads.map(async ({ kind, bytes }, i) => {
      const grant = grants[i]
      if (!grant) throw new ProviderError(502, 'the provider granted fewer uploads than requested')
      if (!grant.exists) await client.uploadObject(grant, CONTENT_TYPES[kind], bytes)
    }),
  )
  return grants.map((grant) => grant.object)
}

/** Stores a JPEG as the last picture of a camera. Throws ProviderError. */
export async function storeLastPicture(client: ProviderClient, deviceId: string, bytes: Buffer): Promise<void> {
  await uploadObjects(client, deviceId, [{ kind: 'last', name: deviceId, bytes }])
}
