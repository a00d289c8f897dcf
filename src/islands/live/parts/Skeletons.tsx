import { closeSingleCamera } from '../../../stores/live/live-layout.ts'

/** Rows of the Today panel until today's events have loaded. */
export const TODAY_ROWS_SKELETON = <i className="skeleton today-wait" aria-hidden="true" />

/** Content of the Today panel until its code has loaded. */
export const TODAY_SKELETON = (
  <>
    <h2 className="today-wait-head">Today</h2>
    {TODAY_ROWS_SKELETON}
  </>
)

/** Content of the strip below the tiles until its code has loaded. */
export const STRIP_SKELETON = (
  <>
    <h2 className="strip-wait-head">Today, all cameras</h2>
    <i className="skeleton strip-wait" aria-hidden="true" />
  </>
)

/**
 * Camera view until its code has loaded. The camera's tile stays in the grid and takes the place of the large video, so
 * that the video keeps playing.
 */
export function CameraSkeleton({ name }: { name: string }) {
  return (
    <div className="one-wait" aria-busy="true">
      <div className="one-wait-bar">
        <button type="button" className="btn btn-dark" onClick={closeSingleCamera}>
          All cameras
        </button>
        <h1>{name}</h1>
      </div>
      <i className="skeleton one-wait-day" aria-hidden="true" />
      <div className="one-wait-events">{TODAY_ROWS_SKELETON}</div>
    </div>
  )
}
