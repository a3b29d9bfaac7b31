"""report: pages of kernels."""

import json
import re

import numpy

import tileiras
from conftest import EXAMPLES


def read(file):
    return json.loads(re.search('<script type="application/json" id="data">(.*?)</script>', file.read_text(), re.S).group(1))


def test_page_of_a_kernel(tmp_path):
    kernel = tileiras.compile(EXAMPLES / "matmul" / "kernel.mlir", "sm_90")
    arrays = [numpy.zeros((256, 256), numpy.float16) for _ in range(3)]
    estimate = tileiras.time(kernel, (2, 2), [*arrays, 256, 256, 256])
    tileiras.report(tmp_path / "page.html", kernel, [estimate])
    (unit,) = read(tmp_path / "page.html")
    assert unit["title"] == "kernel.mlir" and unit["estimates"] == [estimate.data]
    assert unit["compilation"]["ptx"] == kernel.ptx
    assert {remark["name"] for remark in unit["compilation"]["remarks"]} == {remark.name for remark in kernel.remarks}


def test_data_for_programs(vector_add):
    data = json.loads(vector_add.report_data)
    assert any(each["pass"] == "convert-cudatile-to-tileaa" and each["added"] for each in data["passes"])
