// Puts PNG files of one size and kind together as one animated PNG (https://www.w3.org/TR/png-3/, chunks acTL, fcTL, fdAT).

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 255];
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function chunks(png) {
  const found = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

/** The frames as one file; each is shown for its number of milliseconds, then it starts again. */
export function animate(frames) {
  const parsed = frames.map(({ png, milliseconds }) => ({ parts: chunks(png), milliseconds }));
  const header = parsed[0].parts.find(({ type }) => type === "IHDR").data;
  const out = [SIGNATURE, chunk("IHDR", header)];
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  out.push(chunk("acTL", control));
  let sequence = 0;
  parsed.forEach(({ parts, milliseconds }, number) => {
    const own = parts.find(({ type }) => type === "IHDR").data;
    if (!own.equals(header)) throw new Error(`frame ${number} is of another size or kind`);
    const frame = Buffer.alloc(26);
    frame.writeUInt32BE(sequence++, 0);
    header.copy(frame, 4, 0, 8);
    frame.writeUInt16BE(milliseconds, 20);
    frame.writeUInt16BE(1000, 22);
    out.push(chunk("fcTL", frame));
    for (const { type, data } of parts) {
      if (type !== "IDAT") continue;
      if (number === 0) out.push(chunk("IDAT", data));
      else {
        const order = Buffer.alloc(4);
        order.writeUInt32BE(sequence++, 0);
        out.push(chunk("fdAT", Buffer.concat([order, data])));
      }
    }
  });
  out.push(chunk("IEND", Buffer.alloc(0)));
  return Buffer.concat(out);
}
