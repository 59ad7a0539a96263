// window.attentionLab, as docs describe it: every call takes effect before it returns.
export function createInterface({ lab }) {
  return {
    frames: () => lab._lab_n_frames(),
    frameMicroseconds: () => lab._lab_frame_us(),
  };
}
