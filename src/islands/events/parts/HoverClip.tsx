import { useEffect, useState } from 'react'
import { requestSignedUrl } from '../../../media/clip/signed-urls.ts'

/** Delay before the preview starts, so that a pointer that only passes over the thumbnail does not start it. */
const HOVER_DELAY_MS = 250
const HOVER_PLAYBACK_RATE = 3

/** Plays the clip at high speed while the pointer is on its thumbnail. */
export function HoverClip({ eventId }: { eventId: string }) {
  const [src, setSrc] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => void requestSignedUrl(`/m/clip/${eventId}`).then(setSrc), HOVER_DELAY_MS)
    return () => clearTimeout(timer)
  }, [eventId])
  if (!src) return null
  return (
    <video
      src={src}
      muted
      loop
      autoPlay
      playsInline
      className="absolute inset-0 size-full object-cover"
      onLoadedMetadata={({ currentTarget }) => (currentTarget.playbackRate = HOVER_PLAYBACK_RATE)}
    />
  )
}
