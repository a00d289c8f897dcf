import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import type { RequestOf } from '../../../contract/wire/call.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

export interface DevicesSubject {
  readonly environment: string
  /**
   * '' if the account has no home of its own or if the home is unknown. The response then lists all cameras that the
   * account can see (OPEN-55).
   */
  readonly homeId: string
}

export const devicesInput = ({ environment, homeId }: DevicesSubject): RequestOf<typeof getHomeDevices> => ({
  device_category: 'camera',
  env: environment,
  ...(homeId && { home_id: homeId }),
})

export const homes: EarlyRequest<typeof getHomes, true> = {
  call: getHomes,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/**
 * Early request for the cameras in the last visit's home. If no home is stored, requests all cameras of the account,
 * because the homes are not known yet.
 */
export const devices: EarlyRequest<typeof getHomeDevices, DevicesSubject> = {
  call: getHomeDevices,
  fixed: {},
  about: ({ environment, homeId }) => ({ environment, homeId: homeId ?? '' }),
  input: devicesInput,
}

export const HOME_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [homes, devices]
