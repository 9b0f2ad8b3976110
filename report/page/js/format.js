// Numbers as the command line prints them, digit for digit.

// fixed is C's %.Nf: toFixed rounds what lies just in the middle up, C to the even digit.
function fixed(x, digits) {
  const long = x.toFixed(100);
  const cut = long.length - 100 + digits;
  const rounded = x.toFixed(digits);
  if (!/^50*$/.test(long.slice(cut))) return rounded;
  const down = long.slice(0, digits === 0 ? cut - 1 : cut);
  return Number(down[down.length - 1]) % 2 === 0 ? down : rounded;
}

// grouped puts a comma before every three digits of the whole part.
function grouped(text) {
  const [whole, rest] = text.split(".");
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? commas : commas + "." + rest;
}

// exponential is C's %.3e for large numbers: ties go to the even digit.
function exponential(x) {
  const [digits, power] = x.toExponential(100).split("e");
  const even = Number(digits[4]) % 2 === 0 && /^50*$/.test(digits.slice(5));
  return even ? digits.slice(0, 5) + "e" + power : x.toExponential(3);
}

// Figures from these on have an exponent.
const longCount = 1e18, longSeconds = 1e10;

function secondsText(s) {
  if (s >= longSeconds) return exponential(s) + " s";
  if (s >= 1) return fixed(s, 3) + " s";
  if (s >= 1e-3) return fixed(s * 1e3, 3) + " ms";
  return fixed(s * 1e6, 3) + " us";
}

function cyclesText(c) {
  if (c >= longCount) return exponential(c);
  const tenths = Math.round(c * 10);
  if (c >= 1e6 || tenths % 10 === 0) return grouped(String(Math.round(c)));
  return grouped(String(Math.floor(tenths / 10))) + "." + (tenths % 10);
}

function microsText(s) { return s * 1e6 >= longCount ? exponential(s * 1e6) : grouped(fixed(s * 1e6, 3)); }

function speedupText(x) { return fixed(x, 2); }

function percentText(x) {
  const p = x * 100;
  if (p > 0 && p < 0.1) return "<0.1%";
  return fixed(p, 1) + "%";
}

// ticks returns round values from 0 to at least most, about as many as wanted.
function ticks(most, wanted) {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough * 0.999);
  const all = [];
  for (let i = 0; i * step < most + step * 0.999; i++) all.push(i * step);
  return all;
}
