import { useEffect, useState } from 'react'

/** Delay before the preview starts, so that a pointer that only passes over the thumbnail does not start it. */
const HOVER_DELAY_MS = 250
const HOVER_PLAYBACK_RATE = 3

/** Plays the clip at high speed while the pointer is on its thumbnail. */
export function HoverClip({ eventId }: { eventId: string }) {
  const [isOn, turnOn] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => turnOn(true), HOVER_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isOn) return null
  return (
    <video
      src={`/m/clip/${eventId}`}
      muted
      loop
      autoPlay
      playsInline
      className="absolute inset-0 size-full object-cover"
      onLoadedMetadata={({ currentTarget }) => (currentTarget.playbackRate = HOVER_PLAYBACK_RATE)}
    />
  )
}
