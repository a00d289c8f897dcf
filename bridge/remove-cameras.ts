import { log, messageOf } from './runtime/log.ts'
import type { ProviderClient } from './uplink/provider-client.ts'
import { isVirtualId } from './virtual/assign-virtual-cameras.ts'
import { forgetRemoved, removeCamera } from './cameras/camera-file.ts'
import type { Choices } from './cameras/owner-settings.ts'

interface Forgetting {
  readonly data: string
  readonly client: ProviderClient
  readonly choices: Choices
}

/** Its owner has removed a camera in the portal: it goes from the list, and that is confirmed. */
export async function forgetCamera({ data, client, choices }: Forgetting, deviceId: string): Promise<void> {
  try {
    await choices.forget(deviceId)
    if (!isVirtualId(deviceId)) await removeCamera(data, deviceId)
    await client.removeCamera(deviceId)
    if (!isVirtualId(deviceId)) await forgetRemoved(data, [deviceId])
  } catch (error) {
    log(`The removal of a camera will be confirmed later: ${messageOf(error)}`)
  }
}

/** Takes cameras off the provider's list that this bridge once had, and notes that those `removed` at home are gone there too; answers whether it is done. */
export async function removeStrangers(
  { data, client }: Pick<Forgetting, 'data' | 'client'>,
  strangers: readonly string[],
  removed: readonly string[],
): Promise<boolean> {
  try {
    for (const id of strangers) await client.removeCamera(id)
    if (removed.length > 0) await forgetRemoved(data, removed)
    return true
  } catch (error) {
    log(`A camera could not be removed at the provider: ${messageOf(error)}`)
    return false
  }
}
