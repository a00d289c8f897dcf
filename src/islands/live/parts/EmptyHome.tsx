import { BRAND_NAME } from '../../../../contract/brand.ts'

/** A home without cameras: what to type to get one. */
export function EmptyHome() {
  return (
    <div className="live-note">
      <div className="glow">
        <img src="/logo.svg" width="56" height="56" alt="" />
      </div>
      <h2>No camera yet</h2>
      <p>Stop {BRAND_NAME} in its terminal and start it again with the address of any camera that speaks RTSP:</p>
      <code>npm start -- --camera rtsp://user:password@camera/path</code>
      <p>It appears here by itself.</p>
    </div>
  )
}
