import { type SyntheticEvent, useEffect, useRef, useState } from 'react'

const showImage = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => (currentTarget.dataset['shown'] = 'true')

/**
 * Thumbnail of an event, which fades in over a bar. Loads only when it scrolls into view: `loading="lazy"` would load
 * rows up to 2,500 px further down.
 */
export function Thumbnail({ eventId, width, height }: { eventId: string; width: number; height: number }) {
  const frame = useRef<HTMLElement>(null)
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      setInView(true)
      observer.disconnect()
    })
    observer.observe(frame.current!)
    return () => observer.disconnect()
  }, [])
  return (
    <i ref={frame} className="skeleton live-thumb">
      {isInView && (
        <img src={`/m/thumb/${eventId}`} width={width} height={height} alt="" decoding="async" onLoad={showImage} />
      )}
    </i>
  )
}
