import { log, getErrorMessage } from './runtime/log.ts'
import type { ProviderClient } from './uplink/provider-client.ts'
import { isVirtualId } from './virtual/assign-virtual-cameras.ts'
import { clearRemovedIds, removeStoredCamera } from './cameras/camera-file.ts'
import type { OwnerSettingsStore } from './cameras/owner-settings.ts'

interface RemovalContext {
  readonly data: string
  readonly client: ProviderClient
  readonly ownerSettings: OwnerSettingsStore
}

/**
 * Deletes the bridge's data of a camera that its owner removed in the portal, and confirms the removal to the provider.
 * Logs an error instead of throwing it.
 */
export async function applyCameraRemoval(
  { data, client, ownerSettings }: RemovalContext,
  deviceId: string,
): Promise<void> {
  try {
    await ownerSettings.remove(deviceId)
    if (!isVirtualId(deviceId)) await removeStoredCamera(data, deviceId)
    await client.removeCamera(deviceId)
    if (!isVirtualId(deviceId)) await clearRemovedIds(data, [deviceId])
  } catch (error) {
    log(`The hub couldn't completely remove a camera and will try again later: ${getErrorMessage(error)}`)
  }
}

/**
 * Removes the cameras `formerIds` at the provider, and then deletes `removed` from the stored ids of locally removed
 * cameras. Logs the first error and returns false; returns true if everything succeeded.
 */
export async function removeFormerCameras(
  { data, client }: Pick<RemovalContext, 'data' | 'client'>,
  formerIds: readonly string[],
  removed: readonly string[],
): Promise<boolean> {
  try {
    for (const id of formerIds) await client.removeCamera(id)
    if (removed.length > 0) await clearRemovedIds(data, removed)
    return true
  } catch (error) {
    log(`A camera couldn't be removed from the provider: ${getErrorMessage(error)}`)
    return false
  }
}
