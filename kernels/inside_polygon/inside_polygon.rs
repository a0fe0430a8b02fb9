//! Compute the mask of the pixels inside a polygon, row by row. Threads share the rows.
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::thread;

/// Return the first column to the right of the point where the edge crosses row y. The edge counts for the columns
/// before this one. The code measures from the edge's left end: no operand is negative, so the division rounds down.
fn column_after([xa, ya]: [i32; 2], [xb, yb]: [i32; 2], y: i32) -> i64 {
    let (left, y_left) = if xa < xb { (xa, ya) } else { (xb, yb) };
    i64::from(left + (y - y_left).abs() * (xa - xb).abs() / (ya - yb).abs() + 1)
}

// idea: row by row: each pair of crossings flips the pixels between them
fn fill_row(polygon: &[[i32; 2]], row: &mut [u8], y: i32) {
    row.fill(0);
    let mut waiting = None;
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[if i + 1 < polygon.len() { i + 1 } else { 0 }];
        if (a[1] < y) == (b[1] < y) {
            continue;
        }
        let column = column_after(a, b, y).clamp(0, row.len() as i64) as usize;
        waiting = match waiting {
            None => Some(column),
            Some(other) => {
                row[column.min(other)..column.max(other)].iter_mut().for_each(|pixel| *pixel ^= 1);
                None
            }
        };
    }
}
// end of idea

#[no_mangle]
pub unsafe extern "C" fn inside_polygon_int32(
    polygon: *const [i32; 2], vertices: usize, mask: *mut u8, height: usize, width: usize, threads: usize,
) {
    let (polygon, mask) = (from_raw_parts(polygon, vertices), from_raw_parts_mut(mask, height * width));
    let fill = |rows: &mut [u8], first: usize| {
        for (i, row) in rows.chunks_mut(width).enumerate() {
            fill_row(polygon, row, (first + i) as i32);
        }
    };
    if width > 0 {
        if threads == 1 {
            fill(mask, 0);
        } else {
            let part = height / threads + 1;
            thread::scope(|scope| {
                for (i, rows) in mask.chunks_mut(part * width).enumerate() {
                    scope.spawn(move || fill(rows, i * part));
                }
            });
        }
    }
    for &[x, y] in polygon {
        if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
            mask[y as usize * width + x as usize] = 1;
        }
    }
}
