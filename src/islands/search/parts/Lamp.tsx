/** Logo on an amber glow, above the heading of an empty view. */
export function Lamp({ size }: { size: number }) {
  return (
    <span className="glow" aria-hidden>
      <svg width={size} height={size} viewBox="0 0 32 32">
        <use href="#porch-logo" />
      </svg>
    </span>
  )
}
