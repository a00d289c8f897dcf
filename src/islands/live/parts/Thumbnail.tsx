import type { SyntheticEvent } from 'react'

const showImage = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => (currentTarget.dataset['shown'] = 'true')

/** Thumbnail of an event, which fades in over a bar. */
export function Thumbnail({ eventId, width, height }: { eventId: string; width: number; height: number }) {
  return (
    <i className="skeleton live-thumb">
      <img
        src={`/m/thumb/${eventId}`}
        width={width}
        height={height}
        alt=""
        loading="lazy"
        decoding="async"
        onLoad={showImage}
      />
    </i>
  )
}
