/** The logo with an amber glow, for empty states. */
export function Lamp({ size }: { size: number }) {
  return (
    <span className="glow" aria-hidden>
      <svg width={size} height={size} viewBox="0 0 32 32">
        <use href="#porch-logo" />
      </svg>
    </span>
  )
}
