import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $pictureTimes, loadPictureTime } from '../../../stores/live/last-picture-times.ts'

/**
 * Returns when the last picture of a sleeping camera was taken, ms UTC; undefined if the camera is not asleep or the
 * time is unknown.
 */
export function usePictureTime(deviceId: string, isAsleep: boolean): number | undefined {
  const times = useStore($pictureTimes, { keys: [deviceId], deps: [deviceId] })
  useEffect(() => {
    if (isAsleep) void loadPictureTime(deviceId)
  }, [deviceId, isAsleep])
  return isAsleep ? times[deviceId] : undefined
}
